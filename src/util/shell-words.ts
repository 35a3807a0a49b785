/** The words of a command that is being typed, up to the cursor. Nothing in them is expanded, and nothing is run. */
export interface TypedLine {
  readonly words: readonly string[];
  /** What is typed of the word at the cursor; empty behind a blank. */
  readonly current: string;
  /** How much of `current` lies before the piece that bash replaces: it cuts words at quotes and at `breaks`. */
  readonly lead: number;
}

/** Reads a line as shells do: blanks part words, quotes and backslashes are taken away. */
export function typedLine(line: string, breaks = ''): TypedLine {
  const words: string[] = [];
  let word: string | undefined;
  let lead = 0;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    const isBare = quote === '';
    if (isBare && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
      lead = 0;
    } else if (char === quote || (isBare && /['"]/.test(char))) {
      word ??= '';
      lead = word.length;
      quote = isBare ? char : '';
    } else if (char === '\\' && quote !== "'") {
      at += 1;
      word = (word ?? '') + line.charAt(at);
    } else {
      const before = word?.length ?? 0;
      word = (word ?? '') + char;
      // Bash takes `@` for the beginning of a host's name, so it belongs to the piece.
      if (isBare && breaks.includes(char)) lead = char === '@' ? before : word.length;
    }
  }
  return { words, current: word ?? '', lead };
}
