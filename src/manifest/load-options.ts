export interface LoadOptions {
  /** --env, CAMPAIGN_ENV. */
  readonly environment?: string;
  /** CAMPAIGN_BASE_URL. */
  readonly baseUrl?: string;
  /** Whether it is a problem that no environment is chosen. */
  readonly need: 'environment' | 'nothing';
  readonly file: string;
  /** Merged values of --var, --var-file and CAMPAIGN_VAR_*. */
  readonly variables: ReadonlyMap<string, string>;
  /** Whether images and outputs may be outside the manifest's folder (--allow-outside). */
  readonly outside: 'refuse' | 'allow';
  /** Results that the state knows, relative to the manifest's folder: they are no photos, wherever they are. */
  readonly results?: readonly string[];
}
