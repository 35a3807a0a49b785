import type { IBufferCell, IBufferLine, Terminal } from '@xterm/headless';

const CELL = { width: 8.43, height: 19 };
const MARGIN = 16;
const BACKGROUND = '#15181e';
const FOREGROUND = '#d7dae0';
/** The colours of the palette that campaign uses. */
const COLOURS: Readonly<Record<number, string>> = { 1: '#ff7b72', 2: '#7ee787', 3: '#f2cc60', 6: '#76e3ea' };

interface Run {
  readonly column: number;
  readonly look: string;
  text: string;
}

/**
 * What stands on a terminal as an SVG: its text can be selected, and each piece of one colour begins at its own column,
 * whatever the font. It has a background of its own, so that it can be read on light and dark pages. `from`: the first row.
 */
export function terminalSvg(
  terminal: Terminal,
  { title, typed, from = /^/ }: { readonly title: string; readonly typed: string; readonly from?: RegExp },
): string {
  const { active } = terminal.buffer;
  const written = Array.from({ length: active.length }, (_, y) => active.getLine(y));
  const first = written.findIndex((line) => from.test(line?.translateToString(true) ?? ''));
  const lines = written.slice(first).map(runsOf);
  while (lines.at(-1)?.length === 0) lines.pop();
  const rows = [promptOf(typed), ...lines];
  const width = Math.ceil(2 * MARGIN + terminal.cols * CELL.width);
  const height = 2 * MARGIN + rows.length * CELL.height;
  const texts = rows.flatMap((runs, row) => (runs.length ? [rowText(runs, row)] : []));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}</title>`,
    '<style>text{font:14px ui-monospace,SFMono-Regular,Menlo,"DejaVu Sans Mono",Consolas,monospace;white-space:pre}</style>',
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="8" fill="${BACKGROUND}" stroke="#3d444d"/>`,
    ...texts,
    '</svg>',
    '',
  ].join('\n');
}

function promptOf(typed: string): Run[] {
  return [
    { column: 0, look: lookOf({ colour: COLOURS[2] }), text: '$' },
    { column: 2, look: lookOf({ isBold: true }), text: typed },
  ];
}

/** Pieces of one look; what is blank between two of them, or behind the last, belongs to none. */
function runsOf(line: IBufferLine | undefined): Run[] {
  const runs: Run[] = [];
  const cells = line?.length ?? 0;
  for (let column = 0; column < cells; column += 1) {
    const cell = line?.getCell(column);
    if (!cell || cell.getWidth() === 0) continue;
    const look = lookOf(appearanceOf(cell));
    const run = runs.at(-1);
    if (run?.look === look) run.text += cell.getChars() || ' ';
    else runs.push({ column, look, text: cell.getChars() || ' ' });
  }
  return runs.flatMap(({ column, look, text }) => {
    const blanks = text.length - text.trimStart().length;
    return text.trim() ? [{ column: column + blanks, look, text: text.trim() }] : [];
  });
}

interface Appearance {
  readonly colour?: string | undefined;
  readonly isBold?: boolean;
  readonly isDim?: boolean;
}

function appearanceOf(cell: IBufferCell): Appearance {
  const colour = cell.isFgPalette() ? COLOURS[cell.getFgColor()] : undefined;
  if (cell.isFgPalette() && colour === undefined) throw new Error(`no colour ${cell.getFgColor()}`);
  return { colour, isBold: cell.isBold() !== 0, isDim: cell.isDim() !== 0 };
}

function lookOf({ colour = FOREGROUND, isBold = false, isDim = false }: Appearance): string {
  return `fill="${colour}"${isBold ? ' font-weight="bold"' : ''}${isDim ? ' opacity=".62"' : ''}`;
}

function rowText(runs: readonly Run[], row: number): string {
  const y = MARGIN + row * CELL.height + 14;
  let at = 0;
  const pieces = runs.map(({ column, look, text }) => {
    const x = (MARGIN + column * CELL.width).toFixed(1);
    // Blanks that nobody sees keep the columns of a copied line.
    const blanks = ' '.repeat(column - at);
    at = column + text.length;
    return `${blanks && `<tspan x="${MARGIN}">${blanks}</tspan>`}<tspan x="${x}" ${look}>${escaped(text)}</tspan>`;
  });
  return `<text y="${y}">${pieces.join('')}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
