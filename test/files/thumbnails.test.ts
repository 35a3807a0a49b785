import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NOT_SHOWN, readPicture, sha256Of, whyNoFile } from '../../src/files/read-picture.ts';
import { shrinkPicture } from '../../src/files/shrink-picture.ts';
import { openThumbnails } from '../../src/files/thumbnail-cache.ts';

async function temporary(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-thumbnails-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const mkfifo = (at: string) => promisify(execFile)('mkfifo', [at]);
const SHA = 'a'.repeat(64);
const PICTURE = { webp: Buffer.from('a small picture'), width: 640, height: 480 };

describe('a small picture', () => {
  it('has the edge that was asked for, and knows how large the picture is as people look at it', async () => {
    const create = { width: 800, height: 400, channels: 3, background: '#777' } as const;
    // A camera that was held upright.
    const content = await sharp({ create })
      .withExif({ IFD0: { Orientation: '6' } })
      .jpeg()
      .toBuffer();
    const upright = await sharp(content).withMetadata({ orientation: 6 }).toBuffer();
    const small = await shrinkPicture(upright, 'thumbnail');
    expect(small).toMatchObject({ width: 400, height: 800 });
    expect(await sharp(small?.webp).metadata()).toMatchObject({ format: 'webp', width: 128, height: 256 });
    // Nothing is made larger.
    const preview = await shrinkPicture(upright, 'preview');
    expect(await sharp(preview?.webp).metadata()).toMatchObject({ width: 400, height: 800 });
    expect(await shrinkPicture(Buffer.from('<svg/>'), 'thumbnail')).toBeUndefined();
    expect(await shrinkPicture(content.subarray(0, 300), 'thumbnail')).toBeUndefined();
  });
});

describe('the cache of small pictures', () => {
  it('gives back what was kept, also to the next process, and nothing that is damaged', async () => {
    const work = join(await temporary(), '.campaign');
    const first = await openThumbnails(work);
    expect(first.find(SHA, 'thumbnail')).toBeUndefined();
    const kept = await first.keep(SHA, 'thumbnail', PICTURE);
    expect(kept).toMatchObject({ width: 640, height: 480, bytes: 15 });
    expect(kept.read()).toEqual(PICTURE.webp);
    expect(await readFile(join(work, '.gitignore'), 'utf8')).toBe('*\n');

    const second = await openThumbnails(work);
    expect(second.find(SHA, 'thumbnail')).toMatchObject({ width: 640, height: 480 });
    expect(second.find(SHA, 'preview')).toBeUndefined();
    const folder = join(work, 'thumbnails');
    const [name = ''] = await readdir(folder);
    await writeFile(join(folder, name), 'cut');
    expect((await openThumbnails(work)).find(SHA, 'thumbnail')).toBeUndefined();
    // It is made anew under the same name.
    await second.keep(SHA, 'thumbnail', PICTURE);
    expect((await openThumbnails(work)).find(SHA, 'thumbnail')?.read()).toEqual(PICTURE.webp);
    expect(await readdir(folder)).toEqual([name]);
  });

  it('removes what no report has used for a month, and nothing else', async () => {
    const work = await temporary();
    const cache = await openThumbnails(work);
    for (const [sha256, days] of [
      [SHA, 40],
      ['b'.repeat(64), 40],
      ['c'.repeat(64), 20],
    ] as const) {
      await cache.keep(sha256, 'thumbnail', PICTURE);
      const folder = join(work, 'thumbnails');
      const [name = ''] = (await readdir(folder)).filter((each) => each.startsWith(sha256));
      const then = Date.now() / 1000 - days * 86_400;
      await utimes(join(folder, name), then, then);
    }
    const later = await openThumbnails(work);
    expect(later.find(SHA, 'thumbnail')).toBeDefined();
    await later.prune(Date.now());
    const left = (await readdir(join(work, 'thumbnails'))).sort().map((name) => name[0]);
    expect(left).toEqual(['a', 'c']);
  });

  it.each(['a link', 'a file', 'a folder of nobody'])(
    'works from memory where %s is in its place',
    async (what) => {
      const work = await temporary();
      const place = join(work, 'thumbnails');
      const elsewhere = await temporary();
      if (what === 'a link') await symlink(elsewhere, place);
      else if (what === 'a file') await writeFile(place, 'mine');
      else await mkdir(place);
      const cache = await openThumbnails(what === 'a folder of nobody' ? join(work, 'no', 'where') : work);
      const kept = await cache.keep(SHA, 'thumbnail', PICTURE);
      expect(kept.read()).toEqual(PICTURE.webp);
      await cache.prune(Date.now());
      expect(await readdir(elsewhere)).toEqual([]);
      if (what === 'a file') expect(await readFile(place, 'utf8')).toBe('mine');
    },
  );
});

describe('a file that a report shows', () => {
  it('is a plain file with the content that is meant', async () => {
    const folder = await temporary();
    const at = (name: string) => join(folder, name);
    await writeFile(at('whole.jpg'), 'content');
    await symlink('whole.jpg', at('link.jpg'));
    await mkdir(at('folder.jpg'));
    await mkfifo(at('pipe.jpg'));
    const names = ['whole', 'link', 'folder', 'pipe', 'none', 'whole.jpg/x'];
    expect(names.map((name) => whyNoFile(at(`${name}.jpg`)))).toEqual([
      undefined,
      NOT_SHOWN.link,
      NOT_SHOWN.other,
      NOT_SHOWN.other,
      NOT_SHOWN.missing,
      NOT_SHOWN.missing,
    ]);
    const sha256 = sha256Of(Buffer.from('content'));
    expect(await readPicture(at('whole.jpg'), sha256)).toEqual(Buffer.from('content'));
    expect(await readPicture(at('whole.jpg'), SHA)).toBe(NOT_SHOWN.differs);
    // A pipe that has taken its place meanwhile is not waited for.
    expect(await readPicture(at('pipe.jpg'))).toBe(NOT_SHOWN.other);
    expect(await readPicture(at('folder.jpg'))).toBe(NOT_SHOWN.other);
    expect(await readPicture(at('none.jpg'))).toBe(NOT_SHOWN.unreadable);
  });
});
