import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { makeFolder, writeFileAtomic } from '../util/atomic-file.ts';
import { checkFolderPlace } from '../util/new-file.ts';
import { jsonText } from '../util/inert-json.ts';
import type { ReportPictures } from './report-pictures.ts';

const NAME = /^[0-9a-f]{64}\.webp$/;

/** Writes the thumbnails of a large report into a folder beside it, and removes those that it does not show any more. */
export async function writeBeside(
  folder: string,
  { pictures, thumbnails }: Pick<ReportPictures, 'pictures' | 'thumbnails'>,
  { name, environment }: Pick<Manifest, 'name' | 'environment'>,
) {
  await checkFolderPlace(folder);
  await makeFolder(folder);
  const there = new Set((await readdir(folder)).filter((each) => NAME.test(each)));
  // By this a later plan knows that these pictures are no photos.
  const mark = { format_version: '1.0', campaign: name, environment: environment.name, files: [] };
  await writeFileAtomic(join(folder, 'index.json'), `${jsonText(mark, 2)}\n`);
  const names = pictures.map(({ sha256 }, index) => (thumbnails[index] ? `${sha256}.webp` : null));
  for (const [index, file] of names.entries()) {
    const thumbnail = thumbnails[index];
    if (file === null || !thumbnail || there.delete(file)) continue;
    await writeFileAtomic(join(folder, file), thumbnail.read());
  }
  for (const file of there) await rm(join(folder, file), { force: true });
  return {
    folder,
    pathOf: (index: number) => {
      const file = names[index];
      return file == null ? null : `${basename(folder)}/${file}`;
    },
  };
}
