import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LedgerEntry, readLedger } from '../../src/emulator/emulator.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

/** An example in a folder of its own, as after a clone. */
export interface ExampleCopy {
  readonly folder: string;
  /** What the embedded emulator has done for it so far. */
  ledger(): LedgerEntry[];
  remove(): Promise<void>;
}

/** Copies what git has of an example, never the results of somebody's own runs; `append` goes to its manifest's end. */
export async function copyExample(name: string, { append = '' } = {}): Promise<ExampleCopy> {
  const folder = await mkdtemp(join(tmpdir(), `campaign-${name}-`));
  const source = join(EXAMPLES, name);
  await cp(source, folder, {
    recursive: true,
    filter: (path) => !/(^|[/\\])(out|\.campaign)$|\.state\.jsonl$/.test(path),
  });
  await appendFile(join(folder, 'campaign.yaml'), append);
  return {
    folder,
    ledger: () => readLedger(join(folder, '.campaign', 'campaign.emulator.data')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
