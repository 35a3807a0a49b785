import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { type LedgerEntry, readLedger } from '../../src/emulator/emulator.ts';

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples');

/** An example in a folder of its own, as after a clone. */
export interface ExampleCopy {
  /** Of its campaign. */
  readonly name: string;
  readonly folder: string;
  /** What the embedded emulator has done for it so far. */
  ledger(): LedgerEntry[];
  remove(): Promise<void>;
}

/**
 * Copies what git has of an example, never the results of somebody's own runs; `append` goes to its manifest's end.
 * `stand-ins` is for tests that do not look at the pictures: of small photos the emulator makes small ones, and quickly.
 */
export async function copyExample(
  name: string,
  { append = '', photos }: { readonly append?: string; readonly photos?: 'stand-ins' } = {},
): Promise<ExampleCopy> {
  const folder = await mkdtemp(join(tmpdir(), `campaign-${name}-`));
  const source = join(EXAMPLES, name);
  await cp(source, folder, {
    recursive: true,
    filter: (path) => !/(^|[/\\])(out|\.campaign)$|\.state\.jsonl$/.test(path),
  });
  if (photos === 'stand-ins') await shrinkPhotos(folder);
  const manifest = join(folder, 'campaign.yaml');
  await appendFile(manifest, append);
  const campaign = /^name: (.+)$/m.exec(await readFile(manifest, 'utf8'))?.[1] ?? name;
  return {
    name: campaign,
    folder,
    ledger: () => readLedger(join(folder, '.campaign', `${campaign}.emulator.data`)),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function shrinkPhotos(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.jpg')) continue;
    const photo = join(folder, name);
    await writeFile(photo, await sharp(photo).resize(96, 96, { fit: 'inside' }).jpeg().toBuffer());
  }
}
