import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { SharpConstructor, SharpOptions } from 'sharp';
import { isGifWhole } from './formats/gif.ts';
import { readJpeg } from './formats/jpeg-frame.ts';
import { isJpegWhole, stretched } from './formats/jpeg.ts';
import { isTiffWhole } from './formats/tiff.ts';
import { isWebpWhole } from './formats/webp.ts';

/** 8192 × 8192, all frames of an animation together; a larger picture is not decoded. */
const MOST_DECODED_PIXELS = 2 ** 26;
/** For pictures that are decoded line by line, so that the memory does not grow with the height. */
export const MOST_PIXELS = 2 ** 28;

/** What a decoder says of it is meant for whoever writes decoders. */
const DAMAGED = 'it is cut off or damaged';

let decoding: Promise<unknown> = Promise.resolve();
let loaded: SharpConstructor | undefined;

/** Undefined where every pixel can be decoded. One picture at a time, which bounds the memory. */
export function pictureProblem(source: string | Buffer, type: string): Promise<string | undefined> {
  const result = decoding.then(() => decodePicture(source, type));
  decoding = result.catch(() => undefined);
  return result;
}

export function theSharp(): SharpConstructor {
  return (loaded ??= loadSharp());
}

/** Not by `import`: Node would look through its CommonJS parts for their exports, which is 30 of 75 ms. */
function loadSharp(): SharpConstructor {
  const sharp = createRequire(import.meta.url)('sharp') as SharpConstructor;
  // Its cache knows files by their names: a second attempt at a download has the name of the first.
  sharp.cache(false);
  return sharp;
}

/** As `pictureProblem`, at once. */
export async function decodePicture(source: string | Buffer, type: string): Promise<string | undefined> {
  const problem = await problemOf(source, { type, most: MOST_DECODED_PIXELS });
  if (!problem?.isTooLarge) return problem?.words;
  if (!(await sizeOfPicture(source))?.isStreamed) return problem.words;
  return (await problemOf(source, { type, most: MOST_PIXELS }))?.words;
}

/** What the head of a picture says, the pixels of all its frames together; undefined where it cannot be read. */
export async function sizeOfPicture(source: string | Buffer) {
  const sharp = theSharp();
  const read = await sharp(source, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined);
  if (!read) return undefined;
  const { format, isProgressive, pages = 1, autoOrient } = read;
  const { width, height } = autoOrient;
  const pixels = width * height * (FRAMED.has(format) ? pages : 1);
  const isStreamed = (format === 'png' || format === 'jpeg') && !isProgressive;
  return { width, height, pixels, isStreamed, isDecodable: isStreamed || pixels <= MOST_DECODED_PIXELS };
}

/** All frames of these count. In the others the first picture does: further ones are its tiles, small copies, other pages. */
const FRAMED = new Set(['gif', 'webp']);

interface Decoding {
  readonly type: string;
  readonly most: number;
}

async function problemOf(source: string | Buffer, { type, most }: Decoding) {
  const options = { failOn: 'error', limitInputPixels: most, sequentialRead: true } as const;
  try {
    if (await isShown(source, type, options)) return undefined;
    return { isTooLarge: false, words: DAMAGED };
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit');
    const tooLarge = `it is larger than ${most.toLocaleString('en')} pixels`;
    return { isTooLarge, words: isTooLarge ? tooLarge : DAMAGED };
  }
}

/** A larger file is not held in memory, and of its damage only what its decoder refuses is found. */
export const MOST_HELD_BYTES = 2 ** 27;

/** False where pixels are missing that a decoder makes up. Throws what it refuses. */
async function isShown(source: string | Buffer, type: string, options: SharpOptions): Promise<boolean> {
  const isHeld = typeof source !== 'string' || (await stat(source)).size <= MOST_HELD_BYTES;
  const content = isHeld && type in FOLLOWED && typeof source === 'string' ? await readFile(source) : source;
  if (typeof content === 'string') return decode(content, type, options);
  return FOLLOWED[type]?.(content, options) ?? decode(content, type, options);
}

const FOLLOWED: Readonly<Record<string, (content: Buffer, options: SharpOptions) => Promise<boolean>>> = {
  'image/avif': async (content, options) => {
    const still = asStill(content);
    return still === undefined || decode(still, 'image/avif', options);
  },
  'image/gif': async (content, options) =>
    (await decode(content, 'image/gif', options)) && isGifWhole(content),
  'image/jpeg': isJpegShown,
  'image/tiff': async (content, options) => (await decodeTiff(content, options)) && isTiffWhole(content),
  'image/webp': async (content, options) =>
    (await decode(content, 'image/webp', options)) && isWebpWhole(content),
};

/** Of a damaged tile its decoder only warns, as of a field that it does not know. */
async function decodeTiff(content: Buffer, options: SharpOptions): Promise<true> {
  try {
    return await decode(content, 'image/tiff', { ...options, failOn: 'warning' });
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('Warning treated as error'))) throw error;
    return decode(content, 'image/tiff', options);
  }
}

/** The decoder knows no animated AVIF by its name, but the picture that stands for it. There need not be one. */
function asStill(content: Buffer): Buffer | undefined {
  if (content.toString('latin1', 8, 12) !== 'avis') return content;
  if (!content.includes('pitm')) return undefined;
  return Buffer.concat([content.subarray(0, 8), Buffer.from('avif'), content.subarray(12)]);
}

async function decode(source: string | Buffer, type: string, options: SharpOptions): Promise<true> {
  const frames = FRAMED.has(type.slice('image/'.length)) ? { pages: -1 } : {};
  // Shrinking reads every line and keeps little of it.
  await theSharp()(source, { ...options, ...frames })
    .resize(16, 16, { fit: 'fill' })
    .raw()
    .toBuffer();
  return true;
}

async function isJpegShown(content: Buffer, options: SharpOptions): Promise<boolean> {
  const jpeg = readJpeg(content);
  const sharp = theSharp();
  const taller = stretched(content, jpeg);
  if (taller) {
    const limitInputPixels = (options.limitInputPixels as number) + taller.more;
    const shown = await sharp(taller.content, { ...options, limitInputPixels })
      .resize(taller.width, taller.height, { fit: 'fill', kernel: 'nearest' })
      .raw()
      .toBuffer({ resolveWithObject: true })
      .catch(() => undefined);
    if (shown && taller.isWhole(shown.data, shown.info.channels)) return true;
    await decode(content, 'image/jpeg', options);
  } else await sharp(content, options).metadata();
  return (
    (await isJpegWhole(content, jpeg)) ?? decode(content, 'image/jpeg', { ...options, failOn: 'warning' })
  );
}
