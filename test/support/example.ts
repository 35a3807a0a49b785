import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
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

/** Steep ratios for those of the examples: the emulator draws such a picture in a fraction of the time. */
const FLAT: Readonly<Record<string, string>> = { '1:1': '8:1', '4:5': '1:8', '9:16': '1:7', '16:9': '7:1' };

/**
 * Copies what git has of an example, never the results of somebody's own runs; `append` goes to its manifest's end.
 * `flat` is for tests that do not look at the pictures.
 */
export async function copyExample(
  name: string,
  { append = '', pictures }: { readonly append?: string; readonly pictures?: 'flat' } = {},
): Promise<ExampleCopy> {
  const folder = await mkdtemp(join(tmpdir(), `campaign-${name}-`));
  const source = join(EXAMPLES, name);
  await cp(source, folder, {
    recursive: true,
    filter: (path) => !/(^|[/\\])(out|\.campaign)$|\.state\.jsonl$/.test(path),
  });
  const manifest = join(folder, 'campaign.yaml');
  if (pictures === 'flat') {
    const text = await readFile(manifest, 'utf8');
    await writeFile(
      manifest,
      text.replace(/"(\d+:\d+)"/g, (_, ratio: string) => `"${FLAT[ratio] ?? ratio}"`),
    );
  }
  await appendFile(manifest, append);
  return {
    folder,
    ledger: () => readLedger(join(folder, '.campaign', 'campaign.emulator.data')),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
