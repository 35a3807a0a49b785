/** So many candidates one pass compares: ten thousand wrong names times ten thousand right ones would take minutes. */
const MOST_COMPARISONS = 200_000;

/** No name is longer; a longer word is a text in the wrong place. */
const LONGEST_WORD = 100;

const SHOWN_NAMES = 20;

/** `didYouMean`, until enough candidates were compared. */
export function createGuess() {
  let left = MOST_COMPARISONS;
  return (word: string, candidates: () => Iterable<string>): string =>
    left <= 0 ? '' : didYouMean(word, counted(candidates()));
  function* counted(candidates: Iterable<string>) {
    for (const candidate of candidates) {
      if (left-- <= 0) return;
      yield candidate;
    }
  }
}

/** The first of many names, for a message: `a, b, c, …`; `none` where there are none. */
export function someOf(names: Iterable<string>): string {
  const shown: string[] = [];
  for (const name of names) {
    if (shown.push(name) <= SHOWN_NAMES) continue;
    shown[SHOWN_NAMES] = '…';
    break;
  }
  return shown.join(', ') || 'none';
}

/** ` Did you mean "x"?` for the nearest candidate, or nothing where none is near enough; starts with a space. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const best = nearest(word, candidates);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** The candidate with the fewest typing errors, at most about one per three letters; the first of several. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let best: string | undefined;
  let fewest = Math.floor((word.length + 1) / 3) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= fewest) continue;
    const errors = typingErrors(word.toLowerCase(), candidate.toLowerCase());
    if (errors < fewest) [best, fewest] = [candidate, errors];
  }
  return best;
}

/** Optimal string alignment: letters changed, missing, added, or swapped with their neighbour. */
function typingErrors(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
