import { closeSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../util/clock.ts';
import type { Change } from './change.ts';

/**
 * What the emulator did: one JSON line for each request that took effect. It is also all that the emulator remembers,
 * because its records are a fold over these lines. A line is written before the answer is sent, so that a killed
 * process loses nothing that a client was told. A line without its newline was never answered and is cut off.
 */
export type LedgerEntry = { readonly n: number; readonly at: string } & Change;

export interface Ledger {
  entries(): readonly LedgerEntry[];
}

/** Works for a folder whose emulator was killed, too; a folder without a ledger has no entries. */
export function readLedger(dataDir: string): LedgerEntry[] {
  return parseLines(readIfThere(join(dataDir, FILE_NAME))).entries;
}

/** The ledger of a running emulator: owns the open file. */
export class LedgerFile implements Ledger {
  readonly #file: number;
  readonly #clock: Clock;
  readonly #entries: LedgerEntry[];

  constructor(dataDir: string, clock: Clock) {
    const path = join(dataDir, FILE_NAME);
    const { entries, end } = parseLines(readIfThere(path));
    this.#file = openSync(path, 'a', 0o600);
    ftruncateSync(this.#file, end);
    this.#clock = clock;
    this.#entries = entries;
  }

  entries(): readonly LedgerEntry[] {
    return this.#entries;
  }

  append(change: Change): LedgerEntry {
    const at = new Date(this.#clock.now()).toISOString();
    const entry: LedgerEntry = { n: this.#entries.length + 1, at, ...change };
    const line = Buffer.from(`${JSON.stringify(entry)}\n`);
    let written = 0;
    while (written < line.length) written += writeSync(this.#file, line, written);
    this.#entries.push(entry);
    return entry;
  }

  close(): void {
    closeSync(this.#file);
  }
}

const FILE_NAME = 'ledger.jsonl';

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** All complete lines, and the offset behind the last of them. */
function parseLines(bytes: Buffer): { entries: LedgerEntry[]; end: number } {
  const end = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes
    .subarray(0, end)
    .toString()
    .split('\n')
    .filter((line) => line !== '');
  return { entries: lines.map((line) => JSON.parse(line) as LedgerEntry), end };
}
