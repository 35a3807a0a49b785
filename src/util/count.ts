/** `1 post`, `2 posts`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** `2 pending`, `1 failed`: what is zero is left out. */
export function nonZero(counts: readonly (readonly [number, string])[]): string[] {
  return counts.flatMap(([number, words]) => (number ? [`${number} ${words}`] : []));
}
