/** What a plan depends on besides manifest and state; plain data, kept in a saved plan. */
export interface PlanWishes {
  readonly only: readonly string[];
  readonly exclude: readonly string[];
  readonly replace: readonly string[];
  readonly retryFailed?: string;
}

export function wishesOf({
  only = [],
  exclude = [],
  replace = [],
  retryFailed,
}: Partial<PlanWishes>): PlanWishes {
  return { only, exclude, replace, ...(retryFailed === undefined ? {} : { retryFailed }) };
}
