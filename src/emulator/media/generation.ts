import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../util/clock.ts';
import { ownFileName } from '../files/record.ts';
import type { GenerationFault } from '../fault-rules/fault-rule.ts';
import { PhotoShelf } from '../pictures/photo.ts';
import { renderPost, type StandIn } from '../pictures/render-post.ts';
import { dropOutcome, keepOutcome, loadOutcomes, type MediaOutcome } from './outcome.ts';
import type { MediaJob } from './record.ts';

/** Posts with these faults never get an outcome. */
const NEVER_MADE = new Set<GenerationFault | undefined>(['stuck', 'unknown-status']);

/**
 * Renders posts when they are due, one at a time. A post waits for its due time, then in the queue, and then has an
 * outcome. Posts that have none when the process starts are scheduled again.
 */
export class Generation {
  readonly #clock: Clock;
  readonly #filesDir: string;
  readonly #outcomesDir: string;
  readonly #outcomes: Map<string, MediaOutcome>;
  readonly #waiting = new Map<string, () => void>();
  readonly #queue: MediaJob[] = [];
  readonly #cancelled = new Set<string>();
  readonly #stop = new AbortController();
  readonly #shelf = new PhotoShelf();
  readonly #told = new Set<StandIn>();
  readonly #onStandIn: (why: StandIn) => void;
  #worker: Promise<void> | undefined;

  /** `onStandIn` is called once for each reason. */
  constructor(options: {
    clock: Clock;
    filesDir: string;
    outcomesDir: string;
    onStandIn: (why: StandIn) => void;
  }) {
    this.#clock = options.clock;
    this.#filesDir = options.filesDir;
    this.#outcomesDir = options.outcomesDir;
    this.#outcomes = loadOutcomes(options.outcomesDir);
    this.#onStandIn = options.onStandIn;
  }

  schedule(order: MediaJob): void {
    if (this.#outcomes.has(order.id) || NEVER_MADE.has(order.fault?.how)) return;
    const left = Math.max(0, order.due - this.#clock.now());
    const cancel = this.#clock.after(left, () => {
      this.#waiting.delete(order.id);
      this.#queue.push(order);
      this.#worker ??= this.#work();
    });
    this.#waiting.set(order.id, cancel);
  }

  outcome(id: string): MediaOutcome | undefined {
    return this.#outcomes.get(id);
  }

  cancel(id: string): void {
    this.#waiting.get(id)?.();
    this.#waiting.delete(id);
    this.#cancelled.add(id);
    this.#outcomes.delete(id);
    dropOutcome(this.#outcomesDir, id);
  }

  /** Stops rendering; the next start renders what is not finished. */
  async close(): Promise<void> {
    for (const cancel of this.#waiting.values()) cancel();
    this.#waiting.clear();
    this.#stop.abort();
    await this.#worker;
  }

  async #work(): Promise<void> {
    for (let order = this.#queue.shift(); order !== undefined; order = this.#queue.shift()) {
      const { id } = order;
      if (this.#stop.signal.aborted) return;
      if (this.#cancelled.has(id)) continue;
      const outcome = await this.#render(order).catch((error: unknown) => this.#failed(notDrawn(error)));
      if (this.#stop.signal.aborted || this.#cancelled.has(id)) continue;
      keepOutcome(this.#outcomesDir, id, outcome);
      this.#outcomes.set(id, outcome);
    }
    this.#worker = undefined;
  }

  async #render(order: MediaJob): Promise<MediaOutcome> {
    if (order.fault?.how === 'fails') return this.#failed(order.fault.message ?? 'The generation failed.');
    const rendered = await renderPost(order.brief, order.post_type, {
      locate: (url) => this.#locate(url),
      shelf: this.#shelf,
      signal: this.#stop.signal,
      onStandIn: (why) => this.#tell(why),
    });
    if (!rendered.ok) return this.#failed(rendered.error);
    const files = rendered.value.map(({ width, height, extension }, index) => ({
      name: `${order.id}-${index + 1}.${extension}`,
      width,
      height,
    }));
    for (const [index, { name }] of files.entries()) {
      const path = join(this.#filesDir, name);
      await writeFile(`${path}.part`, rendered.value[index]?.data ?? '');
      await rename(`${path}.part`, path);
    }
    return { status: 'success', finished_at: this.#timestamp(), files };
  }

  #tell(why: StandIn): void {
    if (this.#told.has(why)) return;
    this.#told.add(why);
    this.#onStandIn(why);
  }

  #locate(url: string): string | undefined {
    const name = ownFileName(url);
    return name === undefined ? undefined : join(this.#filesDir, name);
  }

  #failed(message: string): MediaOutcome {
    return { status: 'failed', finished_at: this.#timestamp(), error_message: message };
  }

  #timestamp(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/** What libraries and the system say names paths of this machine. */
function notDrawn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return `The emulator could not draw this post${code}.`;
}
