import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { checkMedia } from '../../src/files/check-media.ts';
import { film, noisyPicture } from '../support/media-samples.ts';
import {
  avifOfTiles,
  fieldOf,
  JPEG_END,
  jpegWithRestarts,
  photo,
  withHole,
  withSmallerPage,
} from '../support/picture-samples.ts';

const check = async (content: Buffer) => (await checkMedia('', { content })).type;

async function expectDamaged(damaged: Record<string, Buffer>) {
  const found = await Promise.all(
    Object.entries(damaged).map(async ([name, bytes]) => [name, await check(bytes)]),
  );
  expect(found).toEqual(Object.keys(damaged).map((name) => [name, 'unverified']));
}

async function expectWhole(whole: Record<string, Buffer>) {
  const found = await Promise.all(
    Object.entries(whole).map(async ([name, bytes]) => [name, await check(bytes)]),
  );
  expect(found).toEqual(Object.keys(whole).map((name) => [name, 'verified']));
}

const holes = (whole: Buffer) =>
  Object.fromEntries(
    [0.3, 0.5, 0.7].flatMap((share) =>
      ['\0', '<html>'].map((fill) => [
        `hole of ${JSON.stringify(fill)} at ${share}`,
        withHole(whole, share, fill),
      ]),
    ),
  );

async function animated(format: 'gif' | 'webp', options = {}) {
  const frames = [1, 2, 3].map((n) =>
    photo(240, 180 + n)
      .resize(240, 180)
      .png()
      .toBuffer(),
  );
  return sharp(await Promise.all(frames), { join: { animated: true } })
    .toFormat(format, options)
    .toBuffer();
}

describe('a JPEG', () => {
  it.each([
    ['baseline', photo().jpeg({ quality: 92 })],
    ['with few colours', photo().jpeg({ quality: 92, chromaSubsampling: '4:2:0', optimizeCoding: false })],
    ['with all colours', photo().jpeg({ quality: 92, chromaSubsampling: '4:4:4' })],
    ['of an odd size', photo(481, 363).jpeg({ quality: 92 })],
    ['progressive', photo().jpeg({ quality: 92, progressive: true })],
    ['of mozjpeg', photo().jpeg({ quality: 92, mozjpeg: true })],
    ['grey', photo(640, 480, 1).toColourspace('b-w').jpeg({ quality: 92 })],
    [
      'grey and progressive',
      photo(640, 480, 1).toColourspace('b-w').jpeg({ quality: 92, progressive: true }),
    ],
    ['for print', photo().toColourspace('cmyk').jpeg({ quality: 92 })],
  ])('%s is whole or damaged', async (_, picture) => {
    const whole = await picture.toBuffer();
    await expectWhole({
      whole,
      'a film behind it': Buffer.concat([whole, film(4000), Buffer.from('ffdaffdaffd9ffda', 'hex')]),
      'zeros behind it': Buffer.concat([whole, Buffer.alloc(100_000)]),
      'another picture behind it': Buffer.concat([whole, whole.subarray(0, 3000)]),
    });
    const cuts = [0.3, 0.6, 0.9, 0.985].map((share) => [
      `cut at ${share} and closed`,
      Buffer.concat([whole.subarray(0, Math.floor(whole.length * share)), JPEG_END]),
    ]);
    await expectDamaged({ ...holes(whole), ...Object.fromEntries(cuts) });
  });

  it('that is large is looked at by its decoder', async () => {
    const whole = await photo(1600, 1200).jpeg({ quality: 95 }).toBuffer();
    expect(whole.length).toBeGreaterThan(600_000);
    await expectWhole({ whole, 'zeros behind it': Buffer.concat([whole, Buffer.alloc(5000)]) });
    const cut = Buffer.concat([whole.subarray(0, Math.floor(whole.length * 0.995)), JPEG_END]);
    const lines = Buffer.from(whole);
    lines.writeUInt16BE(1184, whole.indexOf(Buffer.from('ffc0', 'hex')) + 5);
    await expectDamaged({ ...holes(whole), 'cut and closed': cut, 'more data than lines': lines });
  });

  it('may have what decoders warn of and what takes no pixel away', async () => {
    const whole = await photo().jpeg({ quality: 90 }).toBuffer();
    const tables = whole.indexOf(Buffer.from('ffc4', 'hex'));
    const withBefore = (bytes: string) =>
      Buffer.concat([whole.subarray(0, tables), Buffer.from(bytes, 'hex'), whole.subarray(tables)]);
    const end = whole.length - 2;
    await expectWhole({
      'bytes before a marker': withBefore('0102030405'),
      'a marker filled up': withBefore('ffffff'),
      'a segment of Adobe': withBefore('ffee000e41646f626500640000000063'),
      'a segment of no known kind': withBefore('ffef000641424344'),
      'half an APP segment of a picture list': withBefore('ffe2000a4d50460049492a00'),
      'a JFIF revision of the future': Buffer.from(whole).fill(9, 11, 12),
      'a few bytes before the end mark': Buffer.concat([
        whole.subarray(0, end),
        Buffer.alloc(20, 5),
        JPEG_END,
      ]),
      'zeros before the end mark': Buffer.concat([whole.subarray(0, end), Buffer.alloc(9000), JPEG_END]),
    });
  });

  it('has as many intervals between restart markers as it says', async () => {
    // Two bits say that its brightness is as before, four that nothing follows, and the last two fill the byte up.
    const block = Buffer.from([0b0010_1011]);
    const intervals = Array.from({ length: 40 }, () => block);
    const whole = await jpegWithRestarts(intervals);
    await expectWhole({ whole });
    const marked = whole.lastIndexOf(Buffer.from('ffd3', 'hex'));
    await expectDamaged({
      'one is missing': Buffer.concat([whole.subarray(0, marked), whole.subarray(marked + 3)]),
      'one is empty': await jpegWithRestarts([...intervals.slice(1), Buffer.alloc(0)]),
      'one has the data of another': await jpegWithRestarts([
        Buffer.from('2b'.repeat(99) + '00', 'hex'),
        ...intervals.slice(1),
      ]),
    });
  });

  it('that is progressive lacks something without its last scans', async () => {
    const whole = await photo().jpeg({ quality: 90, progressive: true }).toBuffer();
    const lastScan = whole.lastIndexOf(Buffer.from('ffda', 'hex'));
    await expectDamaged({ 'the last scan': Buffer.concat([whole.subarray(0, lastScan), JPEG_END]) });
  });
});

describe('a PNG', () => {
  it.each([
    ['of 8 bits', photo().png()],
    ['of 16 bits, interlaced', photo().toColourspace('rgb16').png({ progressive: true })],
  ])('%s is whole or damaged', async (_, picture) => {
    const whole = await picture.toBuffer();
    await expectWhole({ whole, 'more behind it': Buffer.concat([whole, film(3000)]) });
    const crc = Buffer.from(whole);
    const second = crc.lastIndexOf('IDAT');
    crc.writeUInt8(crc.readUInt8(second - 5) ^ 1, second - 5);
    await expectDamaged({ ...holes(whole), 'a wrong checksum': crc });
  });
});

describe('a GIF', () => {
  it.each([
    ['still', () => photo().gif().toBuffer()],
    ['animated', () => animated('gif')],
  ])('%s is whole or damaged', async (_, make) => {
    const whole = await make();
    await expectWhole({ whole, 'more behind it': Buffer.concat([whole, film(3000)]) });
    const cut = whole.subarray(0, Math.floor(whole.length * 0.8));
    await expectDamaged({
      ...holes(whole),
      'cut and closed': Buffer.concat([cut, Buffer.alloc(256), Buffer.from('\0;')]),
    });
  });
});

describe('a WebP', () => {
  const fewColours = async () => sharp(await photo(400, 300).png({ colours: 12 }).toBuffer());
  it.each([
    ['lossy', () => photo().webp({ quality: 90 }).toBuffer()],
    ['lossless', () => photo(240, 180).webp({ lossless: true }).toBuffer()],
    ['of few colours', async () => (await fewColours()).webp({ lossless: true }).toBuffer()],
    ['transparent', () => photo(480, 360, 4).webp({ quality: 90, alphaQuality: 0 }).toBuffer()],
    ['animated', () => animated('webp')],
    ['animated and lossless', () => animated('webp', { lossless: true })],
  ])('that is %s is whole or damaged', async (_, make) => {
    const whole = await make();
    await expectWhole({ whole, 'more behind it': Buffer.concat([whole, film(3000)]) });
    await expectDamaged(holes(whole));
  });

  it('may be of any size and quality', async () => {
    const made = [1, 15, 16, 17, 99].map(async (side) => [
      `${side} pixels`,
      await photo(side, 2 * side)
        .webp({ quality: side })
        .toBuffer(),
    ]);
    await expectWhole(Object.fromEntries(await Promise.all(made)) as Record<string, Buffer>);
  });
});

describe('a TIFF', () => {
  it('may have smaller pages and needs all of its first one', async () => {
    const whole = await photo().tiff({ compression: 'lzw' }).toBuffer();
    await expectWhole({
      whole,
      'a smaller page': withSmallerPage(whole, 100),
      'more behind it': Buffer.concat([whole, Buffer.alloc(500, 7)]),
      tiles: await photo().tiff({ tile: true }).toBuffer(),
    });
    const places = Buffer.from(whole);
    const field = fieldOf(places, 273);
    places.writeUInt32LE(whole.length, places.readUInt32LE(field + 8));
    await expectDamaged({ 'a strip behind the end': places, ...holes(whole) });
  });

  it.each([
    ['strips', false],
    ['tiles', true],
  ])('shows what is missing in its %s', async (_, tile) => {
    const options = { tile, predictor: 'horizontal' } as const;
    for (const compression of ['deflate', 'lzw'] as const) {
      const whole = await photo()
        .tiff({ ...options, compression })
        .toBuffer();
      await expectWhole({ whole });
      await expectDamaged(holes(whole));
    }
  });

  it('of JPEGs is followed as these are', async () => {
    const whole = await photo().tiff({ compression: 'jpeg', quality: 95 }).toBuffer();
    await expectWhole({ whole });
    await expectDamaged(holes(whole));
  });
});

describe('an AVIF', () => {
  it('of tiles is a picture', async () => {
    const whole = await avifOfTiles();
    expect(await sharp(whole).metadata()).toMatchObject({ width: 256, height: 128 });
    await expectWhole({ whole, 'more behind it': Buffer.concat([whole, Buffer.alloc(500, 7)]) });
    const late = Buffer.from(whole);
    late.writeUInt32BE(whole.length, whole.indexOf('iloc') + 4 + 4 + 4 + 6 + 14);
    await expectDamaged({ 'a tile behind the end': late, cut: whole.subarray(0, -9) });
  });

  it('that is animated counts by the picture that stands for it', async () => {
    const still = await noisyPicture('avif', 128);
    const whole = Buffer.from(still);
    whole.write('avis', 8, 'latin1');
    await expectWhole({ whole });
    await expectDamaged({ 'a hole': withHole(whole, 0.4), cut: whole.subarray(0, -9) });
  });
});
