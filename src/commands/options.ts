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

export interface ApplyOptions extends SharedOptions {
  readonly yes?: true;
  /** `--no-wait` makes it false. */
  readonly wait: boolean;
  readonly deadline?: number;
  readonly failFast?: true;
  readonly concurrency?: number;
  readonly lockTimeout: number;
}
