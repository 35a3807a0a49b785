/** Flags as commander hands them over; every command knows the shared ones. */
export interface SharedOptions {
  readonly env?: string;
  readonly state?: string;
  readonly var?: readonly string[];
  readonly varFile?: readonly string[];
  readonly json?: true;
  /** `--no-color` makes it false. */
  readonly color: boolean;
  readonly quiet?: true;
  readonly logLevel?: string;
  readonly allowOutside?: true;
}

/** Flags that decide what a plan holds. */
export interface PlanOptions extends SharedOptions {
  readonly only?: readonly string[];
  readonly exclude?: readonly string[];
  readonly replace?: readonly string[];
  readonly retryFailed?: string;
  readonly yes?: true;
}

export interface ApplyOptions extends PlanOptions {
  /** A saved plan (`--plan`). */
  readonly plan?: string;
  /** `--no-wait` makes it false. */
  readonly wait: boolean;
  readonly deadline?: number;
  readonly failFast?: true;
  readonly concurrency?: number;
  readonly lockTimeout: number;
  /** Name or file of a profile for the embedded emulator. */
  readonly profile?: string;
  /** A HAR file to write. */
  readonly trace?: string;
}
