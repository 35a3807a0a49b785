/** What compiled validators say (scripts/generate.mjs). */
export interface SchemaError {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The schema object that holds the keyword. */
  readonly parentSchema: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly data: unknown;
  /** Set where the name of a key was refused, not a value. */
  readonly propertyName?: string;
}

export interface Validate<T> {
  (data: unknown): data is T;
  errors?: readonly SchemaError[] | null;
}
