/** Looks at every pixel of a photo before anything is paid for: the service might take a damaged one, and bill what it makes of it. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { checkMedia } from './check-media.ts';
import { decodePicture, MOST_PIXELS, sizeOfPicture } from './decode-picture.ts';
import { imageProblem, type ImageProblem } from './read-image.ts';

/** What is known of a photo that was looked at whole: its size as it is shown, where that could be read. */
export interface Picture {
  readonly width?: number;
  readonly height?: number;
}

export type ExaminePhoto = (file: string, path: string) => Promise<Picture | ImageProblem>;

/** Each picture that is decoded takes memory, whatever the number of cores. */
const MOST_AT_ONCE = 4;

export function createPhotoExaminer(): ExaminePhoto {
  const limit = pLimit(Math.min(MOST_AT_ONCE, availableParallelism()));
  return (file, path) => limit(() => examine(file, path));
}

async function examine(file: string, path: string): Promise<Picture | ImageProblem> {
  const size = await sizeOfPicture(path);
  if (size && size.pixels > MOST_PIXELS) {
    const sides = `${size.width.toLocaleString('en')} × ${size.height.toLocaleString('en')}`;
    return imageProblem(file, 'image-too-large', `has ${sides} pixels; the most is 268 million.`);
  }
  const checked = await checkMedia(path, {
    decode: size?.isDecodable === false ? async () => undefined : decodePicture,
  });
  if (checked.type !== 'verified')
    return imageProblem(file, 'damaged-image', `cannot be used: ${checked.problem}.`);
  return size ? { width: size.width, height: size.height } : {};
}
