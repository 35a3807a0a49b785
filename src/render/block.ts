import stringWidth from 'string-width';

const ESC = '\u001B';
/** Terminals that know it show a frame at once; the others ignore it. */
const BEGIN = `${ESC}[?2026h`;
const END = `${ESC}[?2026l`;
const SAVE_CURSOR = `${ESC}7`;
const RESTORE_CURSOR = `${ESC}8`;
/**
 * Blank rows below the block, where there is room: somebody who presses Enter while it is shown moves the cursor down
 * through them and scrolls nothing.
 */
const SPARE_ROWS = 3;

type Screen = Pick<NodeJS.WriteStream, 'write' | 'columns' | 'rows'>;

/**
 * Lines at the end of a terminal that are drawn over again. The cursor may have been moved by what was typed, so the
 * terminal remembers the first row of the block. One that was made narrower has wrapped the lines: then the rows to draw
 * over are counted at its present width. What was once as high stays so: what is above does not jump.
 */
export function createBlock(screen: Screen) {
  let shown: readonly string[] = [];
  let size = '';

  /** Moves to the first row of the block and removes it. */
  const erased = () => {
    if (shown.length === 0) return '';
    if (sizeOf(screen) === size) return `${RESTORE_CURSOR}${ESC}[J`;
    const columns = screen.columns || Number.POSITIVE_INFINITY;
    const rows = shown.reduce((sum, line) => sum + Math.max(1, Math.ceil(stringWidth(line) / columns)), 0);
    return `\r${ESC}[${rows}A${ESC}[J`;
  };
  const write = (before: string, lines: readonly string[]) => {
    const text = lines.map((line) => `${line}\n`).join('');
    screen.write(`${BEGIN}${erased()}${before}${text}${placed(lines.length, screen)}${END}`);
    shown = lines;
    size = sizeOf(screen);
  };

  return {
    /** Each line has to fit the width, and all of them the height (`mostRows`). */
    draw(lines: readonly string[]): void {
      const most = mostRows(screen);
      const height = Math.min(most, Math.max(lines.length, shown.length));
      const padded = [...lines, ...Array<string>(Math.max(0, height - lines.length)).fill('')];
      write('', padded.slice(0, height));
    },
    /** Above the block, for good. */
    print: (text: string): void => write(`${text}\n`, shown),
    clear: (): void => write('', []),
    /** What is shown stays as it is: others may have written behind it. */
    leave(): void {
      shown = [];
    },
  };
}

/** A block that is higher could not be drawn over. */
export function mostRows({ rows }: Pick<Screen, 'rows'>): number {
  return Math.max(1, (rows || Number.POSITIVE_INFINITY) - 1);
}

function sizeOf({ columns, rows }: Screen): string {
  return `${columns}x${rows}`;
}

/** From the row below the block: makes room for the spare rows, and has the terminal remember the first row. */
function placed(height: number, screen: Screen): string {
  if (height === 0) return '';
  const spare = Math.min(SPARE_ROWS, Math.max(0, mostRows(screen) - height));
  return `${'\n'.repeat(spare)}${ESC}[${height + spare}A${SAVE_CURSOR}${ESC}[${height}B`;
}
