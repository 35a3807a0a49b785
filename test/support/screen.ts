import { EventEmitter } from 'node:events';
import xterm from '@xterm/headless';

/** A terminal in memory, and the stream that writes to it. It wraps its lines anew when its width changes. */
export function createScreen(columns: number, rows = 30) {
  const terminal = new xterm.Terminal({ cols: columns, rows, convertEol: true, allowProposedApi: true });
  const written: string[] = [];
  const stream = Object.assign(new EventEmitter(), {
    columns,
    rows,
    isTTY: true,
    write(text: string): boolean {
      written.push(text);
      terminal.write(text);
      return true;
    },
  });
  return {
    stream: stream as unknown as NodeJS.WriteStream,
    written,
    terminal,
    /** Somebody types: the terminal shows it where the cursor is. */
    typed: (keys: string) => terminal.write(keys),
    /** The terminal knows its new size before the program does. */
    async resize(width: number, height = rows): Promise<void> {
      await flushed();
      terminal.resize(width, height);
      stream.columns = width;
      stream.rows = height;
      stream.emit('resize');
      await flushed();
    },
    /** Everything that is on it, and what was scrolled away. */
    async text(): Promise<string> {
      await flushed();
      return textOn(terminal);
    },
  };

  function flushed(): Promise<void> {
    return new Promise((resolve) => {
      terminal.write('', resolve);
    });
  }
}

/** Everything that is on a terminal, and what was scrolled away. */
export function textOn({ buffer: { active } }: xterm.Terminal): string {
  const lines = Array.from({ length: active.length }, (_, n) => active.getLine(n)?.translateToString(true));
  return `${lines.join('\n').trimEnd()}\n`;
}
