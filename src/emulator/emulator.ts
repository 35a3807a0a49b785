import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../util/clock.ts';
import { DEFAULT_BEHAVIOUR, type Behaviour } from './behaviour.ts';
import type { EmulatorContext } from './context.ts';
import { PATH_PREFIX } from './files/record.ts';
import { Generation } from './media/generation.ts';
import { buildServer } from './server.ts';
import { LedgerFile, type Ledger } from './storage/ledger.ts';
import { applyChange, foldChanges } from './storage/records.ts';
import { loadSecret } from './tokens/secret.ts';
import { PARTIAL_ENDING } from './uploads/receive-file.ts';
import { makeUuid } from './uuid.ts';

export type { Behaviour } from './behaviour.ts';
export { readLedger, type Ledger, type LedgerEntry } from './storage/ledger.ts';

export interface EmulatorOptions {
  /** Folder that keeps records, files and the ledger between starts; made if absent. One emulator at a time. */
  dataDir: string;
  /** Default 0: any free one. The address is always 127.0.0.1. */
  port?: number;
  clock: Clock;
  random: () => number;
  behaviour?: Partial<Behaviour>;
}

export interface Emulator {
  /** Base URL without a slash at its end: `http://127.0.0.1:<port>/api`. */
  readonly url: string;
  readonly ledger: Ledger;
  /** Ends connections and leaves unfinished media to the next start. */
  close(): Promise<void>;
}

/** Starts the whole service on loopback, with all that earlier starts left in the data folder. */
export async function startEmulator(options: EmulatorOptions): Promise<Emulator> {
  const { dataDir, clock } = options;
  const filesDir = join(dataDir, 'files');
  mkdirSync(filesDir, { recursive: true });
  for (const name of readdirSync(filesDir)) {
    if (name.endsWith(PARTIAL_ENDING)) rmSync(join(filesDir, name));
  }
  const ledger = new LedgerFile(dataDir, clock);
  const generation = new Generation({ clock, filesDir, outcomesDir: join(dataDir, 'media') });
  const context = makeContext(options, { ledger, generation, filesDir });
  const app = await buildServer(context, loadSecret(dataDir));
  for (const order of context.records.media.values()) generation.schedule(order);
  const close = async () => {
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
  return { url: `http://127.0.0.1:${port}${PATH_PREFIX}`, ledger, close };
}

function makeContext(
  options: EmulatorOptions,
  parts: { ledger: LedgerFile; generation: Generation; filesDir: string },
): EmulatorContext {
  const records = foldChanges(parts.ledger.entries());
  // A seeded randomness repeats itself at every start, ids must not.
  const given = new Set(
    parts.ledger.entries().flatMap((entry) => ('items' in entry ? [entry.id, ...entry.items] : [entry.id])),
  );
  return {
    clock: options.clock,
    behaviour: { ...DEFAULT_BEHAVIOUR, ...options.behaviour },
    records,
    generation: parts.generation,
    filesDir: parts.filesDir,
    newId() {
      let id = makeUuid(options.random);
      while (given.has(id)) id = makeUuid(options.random);
      given.add(id);
      return id;
    },
    commit(change) {
      applyChange(records, parts.ledger.append(change));
    },
  };
}
