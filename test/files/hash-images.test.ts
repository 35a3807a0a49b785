import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hashImages } from '../../src/files/hash-images.ts';
import { realDisk } from '../../src/util/disk.ts';
import { socketFile } from '../support/socket-file.ts';

const PNG = Buffer.concat([Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1'), Buffer.alloc(100, 1)]);

async function imageFolder(files: Readonly<Record<string, Uint8Array>>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  const cacheFile = path.join(folder, '.campaign/stat-cache.json');
  const hash = async (names = Object.keys(files)) => {
    const read: string[] = [];
    const onProgress = (done: number, total: number) => void read.push(`${done}/${total}`);
    const result = await hashImages({ disk: realDisk, folder, files: names, cacheFile, onProgress });
    return { result, read: read.length, progress: read };
  };
  /** As if the cache had been written long after the files. */
  const settle = async () => utimes(cacheFile, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
  return { folder, cacheFile, hash, settle };
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

describe('hashImages', () => {
  it('tells hash, size and type of each distinct file', async () => {
    const large = Buffer.concat([PNG, Buffer.alloc(3_000_000, 7)]);
    const { hash } = await imageFolder({ 'a.jpg': PNG, 'large.png': large });
    const { result, progress } = await hash(['a.jpg', 'large.png', 'a.jpg']);
    expect(result.ok && [...result.value.values()].sort((a, b) => a.bytes - b.bytes)).toEqual([
      { file: 'a.jpg', sha256: sha256(PNG), bytes: PNG.length, contentType: 'image/png' },
      { file: 'large.png', sha256: sha256(large), bytes: large.length, contentType: 'image/png' },
    ]);
    expect(progress).toEqual(['1/2', '2/2']);
  });

  it('reads an unchanged file once', async () => {
    const { hash, settle } = await imageFolder({ 'a.png': PNG, 'b.png': PNG });
    const first = await hash();
    await settle();
    const second = await hash();
    expect([first.read, second.read]).toEqual([2, 0]);
    expect(second.result).toEqual(first.result);
  });

  it('reads a file again whose content changed, though size and mtime did not', async () => {
    const { folder, hash, settle } = await imageFolder({ 'a.png': PNG, 'b.png': PNG });
    const file = path.join(folder, 'a.png');
    await utimes(file, 1_000_000, 1_000_000);
    await hash();
    await settle();
    const changed = Buffer.from(PNG).fill(2, 50);
    await writeFile(file, changed);
    await utimes(file, 1_000_000, 1_000_000);
    const { result, read } = await hash();
    expect(read).toBe(1);
    expect(result.ok && result.value.get('a.png')?.sha256).toBe(sha256(changed));
  });

  it('does not trust an entry that was written in the moment in which the file changed', async () => {
    const { cacheFile, hash } = await imageFolder({ 'a.png': PNG });
    await hash();
    await utimes(cacheFile, Date.now() / 1000 - 60, Date.now() / 1000 - 60);
    expect((await hash()).read).toBe(1);
  });

  it('keeps what other manifests of the folder know', async () => {
    const { hash, settle } = await imageFolder({ 'a.png': PNG, 'b.png': PNG });
    await hash(['a.png']);
    await settle();
    await hash(['b.png']);
    await settle();
    expect((await hash()).read).toBe(0);
  });

  it.each([
    ['no JSON', '{"version":1,"files":{"a.png"'],
    ['another version', '{"version":2,"files":{}}'],
    ['no files', '{"version":1,"files":[]}'],
    ['an entry that is none', '{"version":1,"files":{"a.png":3}}'],
    ['a list', '[]'],
  ])('passes over a damaged cache: %s', async (_, text) => {
    const { cacheFile, hash, settle } = await imageFolder({ 'a.png': PNG });
    await hash();
    await writeFile(cacheFile, text);
    await settle();
    const { result, read } = await hash();
    expect([result.ok, read]).toEqual([true, 1]);
  });

  it('passes over an entry without its hash', async () => {
    const { cacheFile, hash, settle } = await imageFolder({ 'a.png': PNG });
    await hash();
    const text = await readFile(cacheFile, 'utf8');
    await writeFile(cacheFile, text.replace(/"sha256":"\w+"/, '"sha256":null'));
    await settle();
    expect((await hash()).read).toBe(1);
  });

  it('works where the cache cannot be written', async () => {
    const { cacheFile, hash } = await imageFolder({ 'a.png': PNG });
    await mkdir(cacheFile, { recursive: true });
    expect((await hash()).result.ok).toBe(true);
  });

  it('finds all that is wrong, and opens nothing that is no file', async () => {
    const { folder, hash } = await imageFolder({
      'text.jpg': Buffer.from('hello'),
      'empty.jpg': Buffer.alloc(0),
      'good.png': PNG,
      'huge.png': PNG,
    });
    await truncate(path.join(folder, 'huge.png'), 2 * 1024 ** 3 + 1);
    await socketFile(path.join(folder, 'socket.jpg'));
    await symlink('ring.jpg', path.join(folder, 'ring.jpg'));
    const names = ['text.jpg', 'empty.jpg', 'good.png', 'huge.png', 'socket.jpg', 'gone.jpg', 'ring.jpg'];
    const { result } = await hash(names);
    expect(result.ok ? [] : result.error.map(({ file, code, detail }) => [file, code, detail])).toEqual([
      [
        'empty.jpg',
        'not-an-image',
        '"empty.jpg" is empty. Known are JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF. Export it again in one of these formats, or take it out.',
      ],
      [
        'gone.jpg',
        'cannot-read-image',
        '"gone.jpg" is not there or cannot be reached. Check its permissions.',
      ],
      [
        'huge.png',
        'image-too-large',
        '"huge.png" has more than 2 GB, the most that is sent. Save it smaller.',
      ],
      [
        'ring.jpg',
        'cannot-read-image',
        '"ring.jpg" is not there or cannot be reached. Check its permissions.',
      ],
      ['socket.jpg', 'not-a-file', '"socket.jpg" is not a regular file.'],
      [
        'text.jpg',
        'not-an-image',
        '"text.jpg" is not an image, whatever its name says. Known are JPEG, PNG, WebP, GIF, AVIF, HEIC and TIFF. Export it again in one of these formats, or take it out.',
      ],
    ]);
  });

  it('knows the type of a picture by its content', async () => {
    const pixel = () => sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } });
    const { hash } = await imageFolder({
      jpeg: await pixel().jpeg().toBuffer(),
      png: await pixel().png().toBuffer(),
      webp: await pixel().webp().toBuffer(),
      gif: await pixel().gif().toBuffer(),
      avif: await pixel().avif().toBuffer(),
      tiff: await pixel().tiff().toBuffer(),
    });
    const { result } = await hash();
    const types = result.ok ? [...result.value].map(([name, image]) => [image.contentType, name]) : [];
    expect(types).toHaveLength(6);
    for (const [type, name] of types) expect(type).toBe(`image/${name}`);
  });
});
