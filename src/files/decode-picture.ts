import type { SharpConstructor } from 'sharp';
import { inertText } from '../util/inert-text.ts';

/** 8192 × 8192, all frames of an animation together; a larger picture is not decoded. */
const MOST_PIXELS = 2 ** 26;
/** For pictures that are decoded line by line, so that the memory does not grow with the height. */
const MOST_STREAMED_PIXELS = 2 ** 28;

let decoding: Promise<unknown> = Promise.resolve();

/** Undefined where every pixel can be decoded. One picture at a time, which bounds the memory. */
export function pictureProblem(path: string): Promise<string | undefined> {
  const result = decoding.then(() => decode(path));
  decoding = result.catch(() => undefined);
  return result;
}

async function decode(path: string): Promise<string | undefined> {
  const { default: sharp } = await import('sharp');
  // Its cache knows files by their names: a second attempt at a download has the name of the first.
  sharp.cache(false);
  const problem = await problemOf(sharp, path, MOST_PIXELS);
  if (!problem?.isTooLarge) return problem?.words;
  const { format, isProgressive } = await sharp(path, { limitInputPixels: false })
    .metadata()
    .catch(() => ({ format: undefined, isProgressive: undefined }));
  if ((format !== 'png' && format !== 'jpeg') || isProgressive) return problem.words;
  return (await problemOf(sharp, path, MOST_STREAMED_PIXELS))?.words;
}

async function problemOf(sharp: SharpConstructor, path: string, most: number) {
  const options = { failOn: 'error', limitInputPixels: most, sequentialRead: true, pages: -1 } as const;
  try {
    // Shrinking reads every line and keeps little of it.
    await sharp(path, options).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
    return undefined;
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit');
    const tooLarge = `it is larger than ${most.toLocaleString('en')} pixels`;
    return { isTooLarge, words: isTooLarge ? tooLarge : inWords(error, path) };
  }
}

function inWords(error: unknown, path: string): string {
  const said = error instanceof Error ? error.message : '';
  const last = said.replaceAll(path, 'the file').trim().split('\n').at(-1) ?? '';
  const reason = inertText(last.replace(/^(?:VipsJpeg|vipspng|Input file has corrupt header): /, ''), 100);
  return `it is cut off or damaged${reason && reason !== 'Unknown error' ? ` (${reason})` : ''}`;
}
