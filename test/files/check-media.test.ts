import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { createEncoder } from '../../src/emulator/pictures/video-encoder.ts';
import { checkMedia } from '../../src/files/check-media.ts';
import { box, brandBox, element, film, noisyPicture, webm } from '../support/media-samples.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-media-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

let files = 0;

async function check(bytes: Uint8Array, declared?: string) {
  files += 1;
  const path = join(folder, `${files}.part`);
  await writeFile(path, bytes);
  const checked = await checkMedia(path, { declared });
  // Small files are examined in memory, with the same words.
  const inMemory = await checkMedia('', { declared, content: Buffer.from(bytes) });
  expect(inMemory).toEqual(checked);
  return checked;
}

const verified = (contentType: string) => ({ type: 'verified', contentType });
const unverified = (contentType: string, problem: unknown) => ({
  type: 'unverified',
  contentType,
  problem,
  isCut: expect.any(Boolean) as boolean,
});
const noResult = (problem: string) => ({ type: 'no-result', problem });

const PICTURES = [
  ['image/png', noisyPicture('png', 90)],
  ['image/png', noisyPicture('png', 90, { progressive: true })],
  ['image/jpeg', noisyPicture('jpeg', 150)],
  ['image/jpeg', noisyPicture('jpeg', 150, { progressive: true })],
  ['image/webp', noisyPicture('webp', 150)],
  ['image/gif', noisyPicture('gif', 120)],
  ['image/tiff', noisyPicture('tiff', 120)],
  ['image/avif', noisyPicture('avif', 64)],
] as const;

/** The PNG with another width and height in its first chunk, behind which stands its checksum. */
function claiming(side: number, png: Buffer): Buffer {
  png.writeUInt32BE(side, 16);
  png.writeUInt32BE(side, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

describe('a picture', () => {
  it.each(PICTURES)('%s is looked through to its end', async (contentType, made) => {
    const whole = await made;
    expect(await check(whole)).toEqual(verified(contentType));
    const ends = Array.from({ length: 12 }, (_, n) => whole.length - 1 - n);
    const across = Array.from({ length: 12 }, (_, n) => 64 + Math.floor(((whole.length - 64) * n) / 12));
    for (const end of [...ends, ...across]) {
      const cut = await check(whole.subarray(0, end));
      expect([end, cut]).toEqual([
        end,
        unverified(contentType, expect.stringMatching(/cut off|end is missing/)),
      ]);
    }
  });

  it('as JPEG needs the mark of its end, wherever that stands', async () => {
    const whole = await noisyPicture('jpeg', 400);
    const [body, mark] = [whole.subarray(0, -2), whole.subarray(-2)];
    expect(mark).toEqual(Buffer.from([0xff, 0xd9]));
    for (const behind of [0, 1, 200, 65_533, 65_534, 65_535, 200_000]) {
      expect(await check(Buffer.concat([whole, Buffer.alloc(behind)]))).toEqual(verified('image/jpeg'));
      const cut = await check(Buffer.concat([body, Buffer.alloc(behind)]));
      const missing = unverified('image/jpeg', expect.stringMatching(/cut off|end is missing/));
      expect([behind, cut]).toEqual([behind, missing]);
    }
  });

  it('that claims more pixels than a machine should unpack is not unpacked', async () => {
    const bomb = claiming(60_000, await noisyPicture('png', 20));
    expect(await check(bomb)).toEqual(unverified('image/png', 'it is larger than 268,435,456 pixels'));
  });

  it('of 81 megapixels is looked through, in PNG and in JPEG; a progressive one would take too much memory', async () => {
    const canvas = sharp({ create: { width: 9_000, height: 9_000, channels: 3, background: '#a40' } });
    const grey = canvas.toColourspace('b-w');
    expect(await check(await grey.clone().png().toBuffer())).toEqual(verified('image/png'));
    expect(await check(await grey.clone().jpeg().toBuffer())).toEqual(verified('image/jpeg'));
    const problem = 'it is larger than 67,108,864 pixels';
    const progressive = claiming(9_000, await noisyPicture('png', 20, { progressive: true }));
    expect(await check(progressive)).toEqual(unverified('image/png', problem));
  });

  it('may have anything behind its end', async () => {
    const png = await noisyPicture('png', 20);
    for (const behind of [0, 2, 63, 65_530, 65_536, 200_000])
      expect(await check(Buffer.concat([png, Buffer.alloc(behind, 7)]))).toEqual(verified('image/png'));
    const headless = Buffer.concat([png.subarray(0, -12), Buffer.alloc(200_000, 7)]);
    expect(await check(headless)).toMatchObject({ type: 'unverified' });
  });

  it('in HEIC is looked at as far as its boxes go', async () => {
    const heic = Buffer.concat([
      brandBox('heic'),
      box('meta', Buffer.alloc(40)),
      box('mdat', Buffer.alloc(90)),
    ]);
    expect(await check(heic)).toEqual(verified('image/heic'));
    expect(await check(heic.subarray(0, -1))).toEqual(
      unverified('image/heic', 'it ends before its last box does'),
    );
    expect(await check(Buffer.concat([brandBox('heic'), box('mdat', Buffer.alloc(9))]))).toMatchObject({
      problem: 'it describes no picture (no meta box)',
    });
  });
});

const FILMS = [
  ['video/mp4', film(90)],
  ['video/quicktime', film(90, 'qt  ')],
  ['video/webm', webm(90)],
] as const;

describe('a video', () => {
  it.each(FILMS)('%s cut at any byte is found out', async (contentType, whole) => {
    expect(await check(whole)).toEqual(verified(contentType));
    for (let end = 32; end < whole.length; end += 1) {
      const cut = await check(whole.subarray(0, end));
      expect([end, cut]).toEqual([end, unverified(contentType, expect.stringMatching(/^it (?:ends|has)/))]);
    }
  });

  it('as the emulator makes them is whole', async () => {
    const encoder = await createEncoder({ width: 32, height: 32, framesPerSecond: 12 });
    for (let frame = 0; frame < 4; frame += 1) encoder.addFrame(Buffer.alloc(32 * 32 * 4, frame * 60));
    const bytes = encoder.finish();
    encoder.close();
    expect(await check(bytes)).toEqual(verified('video/mp4'));
    expect(await check(bytes.subarray(0, -1))).toMatchObject({ problem: expect.stringMatching(/^it /) });
  });

  it('may say its lengths in every way that its format has', async () => {
    const long = Buffer.alloc(16);
    long.writeUInt32BE(1);
    long.write('mdat', 4, 'latin1');
    long.writeBigUInt64BE(16n + 5n, 8);
    const head = film(0).subarray(0, -8);
    expect(await check(Buffer.concat([head, long, Buffer.alloc(5)]))).toEqual(verified('video/mp4'));
    const open = Buffer.from('\0\0\0\0mdat', 'latin1');
    expect(await check(Buffer.concat([head, open, Buffer.alloc(5)]))).toEqual(verified('video/mp4'));
    expect(await check(webm(50, 'unknown'))).toEqual(verified('video/webm'));
  });

  it.each([
    [
      'no index',
      Buffer.concat([brandBox('isom'), box('mdat', Buffer.alloc(9))]),
      'it has no index of its frames (no moov box)',
    ],
    ['no frames', film(0).subarray(0, -8), 'it has no frames (no mdat box)'],
    ['no track', Buffer.concat([brandBox('isom'), box('moov', box('mvhd')), box('mdat')]), 'it has no track'],
    [
      'a broken index',
      Buffer.concat([brandBox('isom'), box('moov', Buffer.alloc(9, 255)), box('mdat')]),
      'it ends before its last box does',
    ],
    [
      'boxes of no size',
      Buffer.concat([brandBox('isom'), Buffer.from('\0\0\0\x04moov', 'latin1')]),
      'its boxes make no sense',
    ],
    [
      'elements of no length',
      Buffer.concat([element('1a45dfa3', Buffer.alloc(4)), Buffer.alloc(20)]),
      'its elements make no sense',
    ],
    ['no cluster', element('1a45dfa3', Buffer.alloc(4)), 'it has no track or no frames'],
  ])('with %s is none', async (_, bytes, problem) => {
    expect(await check(bytes)).toMatchObject({ problem });
  });
});

const NOT_LOOKED_THROUGH = 'files of this type are not looked through';

describe('what is neither picture nor video', () => {
  it.each([
    ['', 'it is empty'],
    ['<html>', 'it is an HTML page'],
    ['\ufeff \n<!-- x --><!DOCTYPE html>\n<head>', 'it is an HTML page'],
    ['<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', 'it is an XML error'],
    ['<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"/>', 'it is XML and no SVG'],
    ['{"status":"failed"}', 'it is JSON'],
    ['[1, 2]', 'it is JSON'],
    ['null', 'it is a short text, as messages are'],
    ['Forbidden', 'it is a short text, as messages are'],
  ])('%j is no result, whatever it is called', async (text, problem) => {
    for (const declared of [undefined, 'image/png', 'image/svg+xml', 'application/octet-stream'])
      expect(await check(Buffer.from(text), declared)).toEqual(noResult(problem));
  });

  it('in UTF-16 or with letters of an older encoding is a page all the same', async () => {
    expect(await check(Buffer.from('\ufeff<html><p>hier</p>', 'utf16le'))).toEqual(
      noResult('it is an HTML page'),
    );
    expect(await check(Buffer.from('<html>Zugriff verweigert \u00fc', 'latin1'))).toEqual(
      noResult('it is an HTML page'),
    );
  });

  it.each([
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['<?xml version="1.0"?>\n<!-- x -->\n<!DOCTYPE svg [<!ENTITY a "b">]>\n<svg:svg/>', 'image/svg+xml'],
    ['%PDF-1.7\n', 'application/pdf'],
    ['PK\u0003\u0004', 'application/zip'],
    ['8BPS\u0000\u0001', 'image/vnd.adobe.photoshop'],
  ])('%j may be a result of its own type', async (text, contentType) => {
    expect(await check(Buffer.from(text, 'latin1'), 'text/html')).toEqual(
      unverified(contentType, NOT_LOOKED_THROUGH),
    );
  });

  it('has the type that its sender says, where content tells nothing and the type is harmless', async () => {
    const content = Buffer.from('\u0000\u0001\u0002anything', 'latin1');
    const problem = 'its content is of no known type';
    for (const [declared, contentType] of [
      ['model/gltf-binary', 'model/gltf-binary'],
      ['text/html', 'application/octet-stream'],
      ['application/x-sh', 'application/octet-stream'],
      // Its content would show that.
      ['image/png', 'application/octet-stream'],
      ['__proto__', 'application/octet-stream'],
      [undefined, 'application/octet-stream'],
    ] as const)
      expect(await check(content, declared)).toEqual(unverified(contentType, problem));
    const captions = Buffer.from('A line of a caption.\n'.repeat(300));
    expect(await check(captions, 'text/plain')).toEqual(unverified('text/plain', problem));
  });
});
