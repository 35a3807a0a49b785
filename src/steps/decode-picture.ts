import type { Sharp, SharpOptions } from 'sharp';
import { inertText } from '../util/inert-text.ts';

/** 8192 × 8192, all frames of an animation together; what claims to be larger is not unpacked. */
const MOST_PIXELS = 2 ** 26;

type Open = (path: string, options: SharpOptions) => Sharp;

let decoding: Promise<unknown> = Promise.resolve();

/** What is wrong with a picture; undefined where every pixel of it can be decoded. One at a time, which bounds the memory. */
export function pictureProblem(path: string): Promise<string | undefined> {
  const result = decoding.then(() => decode(path));
  decoding = result.catch(() => undefined);
  return result;
}

async function decode(path: string): Promise<string | undefined> {
  const open = await loadDecoder();
  const picture = open(path, {
    failOn: 'error',
    limitInputPixels: MOST_PIXELS,
    sequentialRead: true,
    pages: -1,
  });
  try {
    // Shrinking reads every line and keeps few of them.
    await picture.resize(16, 16, { fit: 'fill' }).raw().toBuffer();
    return undefined;
  } catch (error) {
    return inWords(error, path);
  }
}

/** Without its cache, which knows files by their names: a second attempt has the name of the first one. */
async function loadDecoder(): Promise<Open> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  return sharp;
}

function inWords(error: unknown, path: string): string {
  const said = error instanceof Error ? error.message : '';
  if (said.includes('pixel limit')) return `it is larger than ${MOST_PIXELS.toLocaleString('en')} pixels`;
  const last = said.replaceAll(path, 'the file').trim().split('\n').at(-1) ?? '';
  const reason = inertText(last.replace(/^(?:VipsJpeg|vipspng|Input file has corrupt header): /, ''), 100);
  return `it is cut off or damaged${reason && reason !== 'Unknown error' ? ` (${reason})` : ''}`;
}
