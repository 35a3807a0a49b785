import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadManifest } from '../../src/manifest/load.ts';
import { socketFile } from '../support/socket-file.ts';
import { campaignFolder, loaded, shown } from './campaign-folder.ts';

function concept(images: string) {
  return `version: 1\nname: x\nconcepts: { c: { ref_images: ${images} } }\n`;
}

async function filesOf(images: string, files: readonly string[]) {
  const { concepts } = await loaded(concept(images), { files });
  return concepts[0]?.refImages.map((image) => ('file' in image ? image.file : image.url));
}

/** Loads after `prepare` has changed the folder; the files of the concept, or the problems. */
async function after(
  images: string,
  prepare: (folder: string) => Promise<void> | void,
  outside: 'refuse' | 'allow' = 'refuse',
) {
  const { folder, options } = await campaignFolder(concept(images), ['in/a.jpg']);
  await prepare(folder);
  const result = await loadManifest({ ...options, outside });
  if (!result.ok) return result.error.map(shown).map((text) => text.split(' ', 1)[0]);
  return result.value.manifest.concepts[0]?.refImages.map((image) =>
    'file' in image ? image.file : image.url,
  );
}

/** A folder outside of every manifest. */
async function elsewhere() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-elsewhere-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'a.jpg'), 'photo');
  return folder;
}

describe('images', () => {
  it('are a file, a folder, a glob, an address, or a list of these', async () => {
    const files = ['s/b.jpg', 's/a.PNG', 's/note.txt', 's/deep/c.jpg', 't.bin'];
    expect(await filesOf('s/b.jpg', files)).toEqual(['s/b.jpg']);
    expect(await filesOf('./s/', files)).toEqual(['s/a.PNG', 's/b.jpg']);
    expect(await filesOf('"s/*"', files)).toEqual(['s/a.PNG', 's/b.jpg']);
    expect(await filesOf('"**/*.{jpg,PNG}"', files)).toEqual(['s/a.PNG', 's/b.jpg', 's/deep/c.jpg']);
    expect(await filesOf('https://a.example.com/x.jpg', files)).toEqual(['https://a.example.com/x.jpg']);
    expect(await filesOf('[t.bin, https://a.example.com/x, s]', files)).toEqual([
      't.bin',
      'https://a.example.com/x',
      's/a.PNG',
      's/b.jpg',
    ]);
  });

  it('count where they stand first', async () => {
    expect(await filesOf('[s/b.jpg, s, s/b.jpg]', ['s/a.jpg', 's/b.jpg'])).toEqual(['s/b.jpg', 's/a.jpg']);
  });

  it('are found where the disk writes their umlauts otherwise', async () => {
    const [composed, decomposed] = [
      'Möbel/Löffel ü.jpg'.normalize('NFC'),
      'Möbel/Löffel ü.jpg'.normalize('NFD'),
    ];
    const mixed = `${decomposed.split('/')[0]}/${composed.split('/')[1]}`;
    for (const written of [composed, decomposed])
      for (const there of [composed, decomposed, mixed])
        expect(await filesOf(`"${written}"`, [there])).toEqual([there]);
    // The one that is named exactly goes before the other.
    const both = ['ü.jpg'.normalize('NFC'), 'ü.jpg'.normalize('NFD')];
    for (const one of both) expect(await filesOf(one, both)).toEqual([one]);
    expect(await after('in/ä.jpg', () => {})).toEqual(['no-match']);
    const elsewhereToo = async (folder: string) =>
      writeFile(path.join(folder, 'in', 'ä.jpg'.normalize('NFD')), 'photo');
    expect(await after('../in/ä.jpg'.normalize('NFC'), elsewhereToo)).toEqual(['outside-folder']);
  });

  it('may have names that look like globs', async () => {
    expect(await filesOf('"s/a[1].jpg"', ['s/a[1].jpg', 's/a1.jpg'])).toEqual(['s/a[1].jpg']);
  });

  it('may be links inside the folder', async () => {
    const link = (folder: string) => symlink('a.jpg', path.join(folder, 'in/b.jpg'));
    expect(await after('in', link)).toEqual(['in/a.jpg', 'in/b.jpg']);
    expect(await after('"in/*"', link)).toEqual(['in/a.jpg', 'in/b.jpg']);
  });

  it.each(['in', '"in/*"', 'in/b.jpg'])(
    'are refused where a link leads out of the folder: %s',
    async (images) => {
      const outer = await elsewhere();
      const link = (folder: string) => symlink(path.join(outer, 'a.jpg'), path.join(folder, 'in/b.jpg'));
      expect(await after(images, link)).toEqual(['outside-folder']);
      expect(await after(images, link, 'allow')).toContain('in/b.jpg');
    },
  );

  it.each(['out', '"out/*"', 'out/a.jpg'])(
    'are refused in a folder that is a link out: %s',
    async (images) => {
      const outer = await elsewhere();
      const link = (folder: string) => symlink(outer, path.join(folder, 'out'));
      expect(await after(images, link)).toEqual(['outside-folder']);
      expect(await after(images, link, 'allow')).toEqual(['out/a.jpg']);
    },
  );

  it.each(['in', '"in/*"', '"in/**"', '"*/*.jpg"'])('have names in UTF-8: %s', async (images) => {
    const latin1 = (folder: string) =>
      writeFile(
        Buffer.concat([Buffer.from(`${folder}/in/caf`), Buffer.from([0xe9]), Buffer.from('.jpg')]),
        'photo',
      );
    expect(await after(images, latin1)).toEqual(['odd-name']);
    const real = (folder: string) => writeFile(path.join(folder, 'in/caf\uFFFD.jpg'), 'photo');
    expect(await after(images, real)).toEqual(['in/a.jpg', 'in/caf\uFFFD.jpg']);
  });

  it('are not passed over because the name of their folder is not in UTF-8', async () => {
    const latin1 = (folder: string) =>
      mkdir(Buffer.concat([Buffer.from(`${folder}/in/caf`), Buffer.from([0xe9])]));
    for (const images of ['"in/**"', '"in/**/*.jpg"', '"*/*/*.jpg"'])
      expect(await after(images, latin1)).toEqual(['odd-name']);
    for (const images of ['in', '"in/*.jpg"']) expect(await after(images, latin1)).toEqual(['in/a.jpg']);
  });

  it('may lie outside where that is allowed', async () => {
    const outer = await elsewhere();
    const name = path.basename(outer);
    const nothing = () => undefined;
    expect(await after(`../${name}`, nothing, 'allow')).toEqual([`../${name}/a.jpg`]);
    expect(await after(`${outer}/a.jpg`, nothing, 'allow')).toEqual([`../${name}/a.jpg`]);
  });

  it('are no sockets, devices or broken links', async () => {
    const socket = (folder: string) => socketFile(path.join(folder, 'in/b.jpg'));
    for (const images of ['in', '"in/*"', 'in/b.jpg'])
      expect(await after(images, socket)).toEqual(['not-a-file']);
    const broken = (folder: string) => symlink('gone.jpg', path.join(folder, 'in/b.jpg'));
    for (const images of ['in', '"in/*"', 'in/b.jpg'])
      expect(await after(images, broken)).toEqual(['no-match']);
    const ring = (folder: string) => symlink('b.jpg', path.join(folder, 'in/b.jpg'));
    expect(await after('in/b.jpg', ring)).toEqual(['no-match']);
    expect(await after('/dev/zero', () => undefined, 'allow')).toEqual(['not-a-file']);
  });
});
