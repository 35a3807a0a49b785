/** More than this is no help to anybody who reads it, and bash asks before it shows so many. */
const MOST = 100;

/**
 * What may follow what is typed: the words that begin with it. Where these are many, their beginnings up to the next
 * `/`, then up to the next `+`, then as far as a group of them is equal; never a part of the words alone, because shells
 * type what all that is offered has in common.
 */
export function nextPieces(words: readonly string[], typed: string): string[] {
  const matching = words.filter((word) => word.startsWith(typed));
  for (const ends of ['/', '/+']) {
    const pieces = new Set(matching.map((word) => cutAfter(word, typed.length, ends)));
    const [first] = pieces;
    // All go on with the same piece, so what follows it is offered.
    if (pieces.size === 1 && first !== undefined && first.length > typed.length && !matching.includes(first))
      return nextPieces(matching, first);
    if (pieces.size <= MOST) return [...pieces];
  }
  return byNextLetter(matching, typed);
}

function cutAfter(word: string, from: number, ends: string): string {
  for (let at = from; at < word.length; at++)
    if (ends.includes(word.charAt(at))) return word.slice(0, at + 1);
  return word;
}

/** One piece for each letter that follows. */
function byNextLetter(words: readonly string[], typed: string): string[] {
  const shared = new Map<string, string>();
  for (const word of words) {
    const letter = word.charAt(typed.length);
    const before = shared.get(letter);
    shared.set(letter, before === undefined ? word : commonStart(before, word));
  }
  const [only] = shared.values();
  return shared.size === 1 && only !== undefined ? byNextLetter(words, only) : [...shared.values()];
}

function commonStart(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return one.slice(0, length);
}
