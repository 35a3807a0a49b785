import { createLogUpdate } from 'log-update';
import { KINDS, type NodeKind } from '../model/kinds.ts';
import type { Clock } from '../util/clock.ts';
import type { Renderer } from './renderer.ts';
import { createNews } from './run-lines.ts';
import { durationText, shortAddress, workingWord } from './run-words.ts';
import type { Style } from './style.ts';
import { createTally } from '../views/tally.ts';

const FRAME_MS = 100;
const SHOWN_NODES = 8;
const BAR_CELLS = 24;
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';

interface LiveOptions {
  readonly stream: NodeJS.WriteStream;
  readonly style: Style;
  readonly clock: Clock;
  /** Addresses of the downloads of the run. */
  readonly planned: { has(address: string): boolean };
  readonly updated: ReadonlySet<string>;
}

/** For terminals: one block that shows what is being done; only problems stay printed above it. */
export function createLiveRenderer({ stream, style, clock, planned, updated }: LiveOptions): Renderer {
  const log = createLogUpdate(stream);
  const active = new Map<string, { kind: NodeKind; since: number; waits: boolean }>();
  const started = clock.monotonic();
  const news = createNews(style);
  const tally = createTally(planned);
  let work = 0;
  let frame = 0;
  let cancel = () => {};

  const draw = () => {
    const now = clock.monotonic();
    const shown = [...active].slice(0, SHOWN_NODES).map(([address, { kind, since, waits }]) => {
      // A post that waits for its next poll is being generated meanwhile.
      const isIdle = waits && KINDS[kind].stored !== 'take';
      const spin = isIdle ? style.yellow('…') : style.cyan(SPINNER[frame % SPINNER.length] ?? '');
      const word = isIdle ? 'waiting' : workingWord(kind, updated.has(address) ? 'update' : 'create');
      return `  ${spin} ${shortAddress(address)} ${style.dim(`${word} ${durationText(now - since)}`)}`;
    });
    const more = active.size > SHOWN_NODES ? [style.dim(`    … and ${active.size - SHOWN_NODES} more`)] : [];
    const head = `${barText(tally.finished, work, style)}  ${durationText(now - started)}`;
    log([head, ...shown, ...more].join('\n'));
  };
  const tick = () => {
    cancel = clock.after(FRAME_MS, () => {
      frame += 1;
      draw();
      tick();
    });
  };

  return {
    show(event) {
      if (event.type === 'planned') {
        ({ work } = event);
        tick();
      }
      if (event.type === 'node-started' || event.type === 'node-waiting') {
        const { address, kind } = event;
        const { since = clock.monotonic(), waits = false } = active.get(address) ?? {};
        active.set(address, { kind, since, waits: waits || event.type === 'node-waiting' });
      }
      if (event.type === 'node-finished') {
        active.delete(event.address);
        tally.add(event);
      }
      const isNews = event.type !== 'node-finished' || event.end !== 'done';
      const text = isNews ? news(event) : undefined;
      if (text !== undefined) log.persist(text);
    },
    close() {
      cancel();
      log.clear();
      log.done();
    },
  };
}

function barText(finished: number, work: number, style: Style): string {
  const all = Math.max(work, finished);
  const cells = all ? Math.round((finished / all) * BAR_CELLS) : 0;
  return `  ${style.green('█'.repeat(cells))}${style.dim('░'.repeat(BAR_CELLS - cells))} ${finished}/${all}`;
}
