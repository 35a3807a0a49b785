import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPhotoExaminer } from '../../src/files/examine-photo.ts';
import { hashImages } from '../../src/files/hash-images.ts';
import { realDisk } from '../../src/util/disk.ts';

async function folderOf(files: Readonly<Record<string, Uint8Array>>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'campaign-photos-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
  return folder;
}

/** A picture whose pixels differ, so that much of its file is needed to read them. */
function picture(width = 300, height = 200) {
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const;
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } });
}

/** A PNG that says to have these pixels, all of one colour, and has one line. */
function announced(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0], 8);
  const parts = [
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(Math.ceil(width / 8) + 1))),
    chunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

async function examined(content: Uint8Array) {
  const folder = await folderOf({ photo: content });
  const seen = await createPhotoExaminer()('photo', path.join(folder, 'photo'));
  return 'code' in seen ? `${seen.code}: ${seen.detail}` : seen;
}

describe('a photo', () => {
  it.each(['jpeg', 'png', 'webp', 'avif', 'gif', 'tiff'] as const)(
    'in %s is whole or cut',
    async (format) => {
      const whole = await picture().toFormat(format).toBuffer();
      expect(await examined(whole)).toEqual({ width: 300, height: 200 });
      for (const share of [0.3, 0.7, 0.99])
        expect(await examined(whole.subarray(0, Math.floor(whole.length * share)))).toMatch(
          /^damaged-image: "photo" cannot be used: /,
        );
    },
  );

  it('has the size in which it is shown', async () => {
    expect(await examined(await picture().jpeg().withMetadata({ orientation: 6 }).toBuffer())).toEqual({
      width: 200,
      height: 300,
    });
  });

  it('above 268 megapixels is refused by its head', async () => {
    expect(await examined(announced(20_000, 20_000))).toBe(
      'image-too-large: "photo" has 20,000 × 20,000 pixels; the most is 268 million. Save it smaller.',
    );
    expect(await examined(announced(16_000, 16_000))).toMatch(/^damaged-image/);
  });
});

describe('photos of a campaign', () => {
  it('are looked at once, and errors of all are told', async () => {
    const whole = await picture().jpeg().toBuffer();
    const files = {
      'a.jpg': whole,
      'b.jpg': whole.subarray(0, 5_000),
      'c.jpg': await picture(60, 50).png().toBuffer(),
    };
    const folder = await folderOf(files);
    const cacheFile = path.join(folder, '.campaign/stat-cache.json');
    const looked: string[] = [];
    const examiner = createPhotoExaminer();
    const read = (names: readonly string[], more: { mostBytes?: number } = {}) =>
      hashImages({
        disk: realDisk,
        folder,
        files: names,
        cacheFile,
        examine: (file, at) => {
          looked.push(file);
          return examiner(file, at);
        },
        ...more,
      });
    const first = await read(Object.keys(files), { mostBytes: whole.length - 1 });
    expect(first.ok ? [] : first.error.map(({ file, code }) => `${file} ${code}`)).toEqual([
      'a.jpg image-too-large',
      'b.jpg damaged-image',
    ]);
    expect(first.ok ? '' : first.error[0]?.detail).toBe(
      `"a.jpg" has ${whole.length.toLocaleString('en')} bytes, and service.max_upload_bytes is ${(whole.length - 1).toLocaleString('en')}. Save it smaller.`,
    );
    await utimes(cacheFile, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
    const second = await read(['a.jpg', 'c.jpg']);
    // Those of one turn are looked at side by side.
    expect([...looked.slice(0, 2).sort(), ...looked.slice(2)]).toEqual(['b.jpg', 'c.jpg', 'a.jpg']);
    expect(second.ok && second.value.get('c.jpg')).toMatchObject({ width: 60, height: 50 });
  });

  it('that an older release had hashed are looked at all the same', async () => {
    const folder = await folderOf({ 'a.jpg': await picture().jpeg().toBuffer() });
    const options = {
      disk: realDisk,
      folder,
      files: ['a.jpg'],
      cacheFile: path.join(folder, '.campaign/c.json'),
    };
    await hashImages(options);
    await utimes(options.cacheFile, Date.now() / 1000 + 60, Date.now() / 1000 + 60);
    const seen = await hashImages({ ...options, examine: createPhotoExaminer() });
    expect(seen.ok && seen.value.get('a.jpg')).toMatchObject({ width: 300, height: 200 });
  });
});
