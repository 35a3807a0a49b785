import { createRequire } from 'node:module';
import type { SharpConstructor } from 'sharp';
import { inertText } from '../util/inert-text.ts';

/** 8192 × 8192, all frames of an animation together; a larger picture is not decoded. */
const MOST_DECODED_PIXELS = 2 ** 26;
/** For pictures that are decoded line by line, so that the memory does not grow with the height. */
export const MOST_PIXELS = 2 ** 28;

let decoding: Promise<unknown> = Promise.resolve();
let loaded: SharpConstructor | undefined;

/** Undefined where every pixel can be decoded. One picture at a time, which bounds the memory. */
export function pictureProblem(source: string | Buffer): Promise<string | undefined> {
  const result = decoding.then(() => decodePicture(source));
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
export async function decodePicture(source: string | Buffer): Promise<string | undefined> {
  const sharp = theSharp();
  const problem = await problemOf(sharp, source, MOST_DECODED_PIXELS);
  if (!problem?.isTooLarge) return problem?.words;
  if (!(await sizeOfPicture(source))?.isStreamed) return problem.words;
  return (await problemOf(sharp, source, MOST_PIXELS))?.words;
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
  const pixels = width * height * pages;
  const isStreamed = (format === 'png' || format === 'jpeg') && !isProgressive;
  return { width, height, pixels, isStreamed, isDecodable: isStreamed || pixels <= MOST_DECODED_PIXELS };
}

async function problemOf(sharp: SharpConstructor, source: string | Buffer, most: number) {
  const options = { failOn: 'error', limitInputPixels: most, sequentialRead: true, pages: -1 } as const;
  try {
    // Shrinking reads every line and keeps little of it.
    await sharp(source, options).resize(16, 16, { fit: 'fill' }).raw().toBuffer();
    return undefined;
  } catch (error) {
    const isTooLarge = error instanceof Error && error.message.includes('pixel limit');
    const tooLarge = `it is larger than ${most.toLocaleString('en')} pixels`;
    return { isTooLarge, words: isTooLarge ? tooLarge : inWords(error, source) };
  }
}

function inWords(error: unknown, source: string | Buffer): string {
  const said = error instanceof Error ? error.message : '';
  // The same words whether the file is on the disk or in memory.
  const named =
    typeof source === 'string'
      ? said.replaceAll(source, 'the file')
      : said.replace(/^Input buffer\b/, 'Input file').replace(/load_buffer\b/, 'load');
  const last = named.trim().split('\n').at(-1) ?? '';
  const reason = inertText(last.replace(/^(?:VipsJpeg|vipspng|Input file has corrupt header): /, ''), 100);
  return `it is cut off or damaged${reason && reason !== 'Unknown error' ? ` (${reason})` : ''}`;
}
