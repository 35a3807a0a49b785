import cliTruncate from 'cli-truncate';
import { createBlock } from './block.ts';
import { inAscii } from './ascii.ts';
import type { StatusRoom } from './status-causes.ts';
import type { Style } from './style.ts';

/** One for each campaign: its lines, for the room that it has. */
export type StatusView = (room: StatusRoom) => readonly string[];

/** A terminal that does not say its size. */
const USUAL = { columns: 80, rows: 24 };
/** A view of fewer lines says nothing. */
const FEWEST_LINES = 6;

/** Views on a terminal that are drawn over again; they take its height and no more. */
export function createStatusScreen({
  stream,
  style,
  isUnicode,
}: {
  readonly stream: NodeJS.WriteStream;
  readonly style: Style;
  readonly isUnicode: boolean;
}) {
  const block = createBlock(stream);
  let views: readonly StatusView[] = [];

  const draw = () => {
    const columns = (stream.columns || USUAL.columns) - 1;
    const rows = (stream.rows || USUAL.rows) - views.length;
    const lines = Math.max(FEWEST_LINES, Math.floor(rows / Math.max(1, views.length)));
    const room = { columns, lines, causes: 'short', style } as const;
    const truncationCharacter = isUnicode ? '…' : '~';
    const all = views.flatMap((view, index) => [...(index ? [''] : []), ...view(room).slice(0, lines)]);
    block.draw(
      all.map((line) => cliTruncate(isUnicode ? line : inAscii(line), columns, { truncationCharacter })),
    );
  };
  stream.on('resize', draw);

  return {
    show(next: readonly StatusView[]): void {
      views = next;
      draw();
    },
    /** Above the views, for good. */
    print: (text: string): void => block.print(isUnicode ? text : inAscii(text)),
    /** The last views stay. */
    close: (): void => void stream.off('resize', draw),
  };
}
