/** What a look at something gives; undefined where it is refused. */
export function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
