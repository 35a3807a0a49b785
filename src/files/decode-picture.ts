import type { Sharp, SharpOptions } from 'sharp';
import { inertText } from '../util/inert-text.ts';

/** 8192 × 8192, all frames of an animation together; a larger picture is not decoded. */
const MOST_PIXELS = 2 ** 26;
/** For pictures that are decoded line by line, so that the memory does not grow with the height. */
const MOST_STREAMED_PIXELS = 2 ** 28;

type Open = (path: string, options: SharpOptions) => Sharp;

let decoding: Promise<unknown> = Promise.resolve();

/**
 * What is wrong with a picture; undefined where every pixel can be decoded. One picture at a time, which bounds the
 * memory.
 */
export function pictureProblem(path: string): Promise<string | undefined> {
  const result = decoding.then(() => decode(path));
  decoding = result.catch(() => undefined);
  return result;
}

async function decode(path: string): Promise<string | undefined> {
  const open = await loadDecoder();
  try {
    const { format, isProgressive } = await open(path, { limitInputPixels: false }).metadata();
    const isStreamed = (format === 'png' || format === 'jpeg') && !isProgressive;
    const most = isStreamed ? MOST_STREAMED_PIXELS : MOST_PIXELS;
    return await decodeUpTo(most, open, path);
  } catch (error) {
    return inWords(error, path);
  }
}

async function decodeUpTo(most: number, open: Open, path: string): Promise<string | undefined> {
  const picture = open(path, { failOn: 'error', limitInputPixels: most, sequentialRead: true, pages: -1 });
  try {
    // Shrinking reads every line and keeps little of it.
    await picture.resize(16, 16, { fit: 'fill' }).raw().toBuffer();
    return undefined;
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit');
    return isTooLarge ? `it is larger than ${most.toLocaleString('en')} pixels` : inWords(error, path);
  }
}

/**
 * Without the cache of sharp, which knows files by their names: a second attempt at a download has the name of the
 * first.
 */
async function loadDecoder(): Promise<Open> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}

function inWords(error: unknown, path: string): string {
  const said = error instanceof Error ? error.message : '';
  const last = said.replaceAll(path, 'the file').trim().split('\n').at(-1) ?? '';
  const reason = inertText(last.replace(/^(?:VipsJpeg|vipspng|Input file has corrupt header): /, ''), 100);
  return `it is cut off or damaged${reason && reason !== 'Unknown error' ? ` (${reason})` : ''}`;
}
