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
  let most = MOST_PIXELS;
  try {
    const { format, isProgressive } = await sharp(path, { limitInputPixels: false }).metadata();
    if ((format === 'png' || format === 'jpeg') && !isProgressive) most = MOST_STREAMED_PIXELS;
    const options = { failOn: 'error', limitInputPixels: most, sequentialRead: true, pages: -1 } as const;
    // Shrinking reads every line and keeps little of it.
    await sharp(path, options).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
    return undefined;
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit');
    return isTooLarge ? `it is larger than ${most.toLocaleString('en')} pixels` : inWords(error, path);
  }
}

function inWords(error: unknown, path: string): string {
  const said = error instanceof Error ? error.message : '';
  const last = said.replaceAll(path, 'the file').trim().split('\n').at(-1) ?? '';
  const reason = inertText(last.replace(/^(?:VipsJpeg|vipspng|Input file has corrupt header): /, ''), 100);
  return `it is cut off or damaged${reason && reason !== 'Unknown error' ? ` (${reason})` : ''}`;
}
