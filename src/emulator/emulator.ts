import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../util/clock.ts';
import { DEFAULT_BEHAVIOUR, type Behaviour } from './behaviour.ts';
import type { EmulatorContext } from './context.ts';
import { PATH_PREFIX } from './files/record.ts';
import { createWaits } from './faults/waits.ts';
import { openAnswers } from './media/answers.ts';
import { Generation } from './media/generation.ts';
import type { Call, OpenCall } from './fault-rules/calls.ts';
import { createRuleBook, type RuleBook } from './fault-rules/rule-book.ts';
import type { FaultRule } from './fault-rules/fault-rule.ts';
import { GENERATION } from './fault-rules/routes.ts';
import type { StrayRequest } from './requests/wrong-path.ts';
import { buildServer } from './server.ts';
import { FILES } from './storage/kept-names.ts';
import { LedgerFile, type Ledger, type LedgerEntry } from './storage/ledger.ts';
import { applyChange, foldChanges } from './storage/records.ts';
import type { StandIn } from './pictures/render-post.ts';
import { loadSecret } from './tokens/secret.ts';
import { PARTIAL_ENDING } from './uploads/receive-file.ts';
import { makeUuid } from './uuid.ts';

export { SWITCHES, type Behaviour } from './behaviour.ts';
export { seededRandom } from './pictures/seeded.ts';
export type { Call } from './fault-rules/calls.ts';
export type { FaultRule } from './fault-rules/fault-rule.ts';
export { readLedger, type Ledger, type LedgerEntry } from './storage/ledger.ts';

export interface EmulatorOptions {
  /** Folder that keeps records, files and the ledger between starts; made if absent. One emulator at a time. */
  dataDir: string;
  /** Default 0: any free one. The address is always 127.0.0.1. */
  port?: number;
  clock: Clock;
  /** Makes ids, and decides which calls the `share` of a fault rule means. */
  random: () => number;
  behaviour?: Partial<Behaviour> | undefined;
  /** Fault rules in force from the start. */
  orders?: readonly FaultRule[] | undefined;
  /** `on` serves `/_control/…` too; default off. */
  control?: 'on' | 'off';
  /** Called with every request that no route takes. */
  onStray?: (stray: StrayRequest) => void;
  /** Called once with a sentence about photos that the pictures do not show, for each reason. */
  onStandIn?: (words: string) => void;
}

export interface Emulator {
  /** Base URL without a slash at its end: `http://127.0.0.1:<port>/api`. */
  readonly url: string;
  readonly ledger: Ledger;
  /** Every request in the order of arrival, also those that were answered without any effect. */
  readonly calls: readonly Call[];
  /** Replaces the fault rules in force; their counts begin anew. */
  order(orders: readonly FaultRule[]): void;
  /** Changes switches from the next request on. */
  switch(behaviour: Partial<Behaviour>): void;
  /** Closes all connections; media that are not finished are rendered at the next start. */
  close(): Promise<void>;
}

const STAND_INS: Readonly<Record<StandIn, string>> = {
  elsewhere:
    'The emulator fetches no images from other hosts: its pictures show a drawing in their place. A service fetches them.',
  undecodable:
    'The emulator cannot decode some of the photos, as those in HEIC: its pictures show a drawing in their place. A service gets the photos themselves.',
};

/** Starts the whole service on loopback, with everything that earlier starts left in the data folder. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { dataDir, clock } = options;
  const filesDir = join(dataDir, FILES);
  mkdirSync(filesDir, { recursive: true });
  for (const name of readdirSync(filesDir)) {
    if (name.endsWith(PARTIAL_ENDING)) rmSync(join(filesDir, name));
  }
  const ledger = new LedgerFile(dataDir, clock);
  const generation = new Generation({
    clock,
    filesDir,
    outcomesDir: join(dataDir, 'media'),
    onStandIn: (why) => options.onStandIn?.(STAND_INS[why]),
  });
  // With the same seed each start draws other numbers, because the ledger has grown; a repeated script of starts
  // draws the same.
  const seed = `${options.random()} ${ledger.entries().length}`;
  const book = createRuleBook({ clock, seed, orders: options.orders ?? [] });
  const behaviour: Behaviour = { ...DEFAULT_BEHAVIOUR, ...options.behaviour };
  const answers = openAnswers(join(dataDir, 'answers'));
  const context = makeContext(options, { ledger, generation, filesDir, behaviour, answers, book });
  const calls: OpenCall[] = [];
  const waits = createWaits(clock);
  const app = await buildServer(context, {
    secret: loadSecret(dataDir),
    stage: { clock, behaviour, book, calls, waits },
    onStray: options.onStray ?? (() => undefined),
    control: options.control === 'on' ? { book, behaviour, calls, ledger } : undefined,
  });
  for (const order of context.records.media.values()) generation.schedule(order);
  const close = async () => {
    waits.end();
    await app.close();
    await generation.close();
    ledger.close();
  };
  try {
    await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  } catch (error) {
    await close();
    throw error;
  }
  const { port } = app.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${PATH_PREFIX}`,
    ledger,
    calls,
    order: (orders) => book.replace(orders),
    switch: (changed) => void Object.assign(behaviour, changed),
    close,
  };
}

function makeContext(
  options: EmulatorOptions,
  parts: Pick<EmulatorContext, 'generation' | 'filesDir' | 'behaviour' | 'answers'> & {
    ledger: LedgerFile;
    book: RuleBook;
  },
): EmulatorContext {
  const { ledger, book, ...shared } = parts;
  const records = foldChanges(ledger.entries());
  const given = new Set(ledger.entries().flatMap(idsOf));
  return {
    clock: options.clock,
    ...shared,
    records,
    newId() {
      let id = makeUuid(options.random);
      while (given.has(id)) id = makeUuid(options.random);
      given.add(id);
      return id;
    },
    nextGenerationFault() {
      const fault = book.decide(GENERATION);
      if (fault?.fault !== 'generation') return undefined;
      const { how, message } = fault;
      return { how, ...(message === undefined ? {} : { message }) };
    },
    commit(change) {
      applyChange(records, ledger.append(change));
    },
  };
}

/** All ids that an entry gave. A seeded randomness repeats its numbers at every start, and ids must not repeat. */
function idsOf(entry: LedgerEntry): string[] {
  if (!('items' in entry)) return [entry.id];
  return [entry.id, ...entry.items, ...entry.orders.map(({ id }) => id)];
}
