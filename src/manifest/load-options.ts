import type { EnvironmentChoice } from './environment.ts';

/** Everything besides its text that decides what a manifest means. */
export interface LoadOptions extends EnvironmentChoice {
  /** Path of the manifest. */
  readonly file: string;
  /** Merged values of --var, --var-file and CAMPAIGN_VAR_*. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether images and outputs may be outside the manifest's folder (--allow-outside). */
  readonly outside: 'refuse' | 'allow';
  /** Results that the state knows, relative to the manifest's folder: they are no photos, wherever they are. */
  readonly results?: readonly string[];
}
