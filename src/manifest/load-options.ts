import type { EnvironmentChoice } from './environment.ts';

/** What decides, beside its text, what a manifest means. */
export interface LoadOptions extends EnvironmentChoice {
  /** Path of the manifest. */
  readonly file: string;
  /** Values from outside: --var, --var-file, CAMPAIGN_VAR_*, merged. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether images and outputs may lie outside the manifest's folder (--allow-outside). */
  readonly outside: 'refuse' | 'allow';
  /** Files that the state knows as results, relative to the manifest's folder: no photos, wherever they lie. */
  readonly results?: readonly string[];
}
