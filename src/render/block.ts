import stringWidth from 'string-width';

const ESC = '\u001B';
/** Terminals that know it show a frame at once; the others ignore it. */
const BEGIN = `${ESC}[?2026h`;
const END = `${ESC}[?2026l`;

type Screen = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>;

/**
 * Lines at the end of a terminal that are drawn over again. A terminal that was made narrower has wrapped them, so the
 * rows to draw over are counted at its present width. What was once as high stays so: what is above does not jump.
 */
export function createBlock(screen: Screen) {
  let shown: readonly string[] = [];

  /** Moves to the first row of the block and removes it. */
  const erased = () => {
    const columns = screen.columns || Number.POSITIVE_INFINITY;
    const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);
    return rows === 0 ? '' : `\r${ESC}[${rows}A${ESC}[J`;
  };
  const write = (before: string, lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    screen.write(`${BEGIN}${erased()}${before}${text}${END}`);
    shown = lines;
  };

  return {
    /** Each line has to fit the width. */
    draw(lines: readonly string[]): void {
      // A block that is higher than the terminal could not be drawn over.
      const most = Math.max(1, (screen.rows || Number.POSITIVE_INFINITY) - 1);
      const height = Math.min(most, Math.max(lines.length, shown.length));
      const padded = [...lines, ...Array<string>(Math.max(0, height - lines.length)).fill('')];
      write('', padded.slice(0, height));
    },
    /** Above the block, for good. */
    print: (text: string): void => write(`${text}\n`, shown),
    clear: (): void => write('', []),
  };
}
