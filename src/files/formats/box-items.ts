/** Where a HEIC or AVIF file says that the data of its pictures are. */
import type { Range } from './tiff.ts';

/**
 * The content of an `iloc` box: the places in the file. Data that stand in the box of the description or in another file
 * have none; undefined where it ends too early.
 */
export function itemPlaces(box: Buffer): Range[] | undefined {
  const version = box[0] ?? 0;
  const [sizes = 0, moreSizes = 0] = box.subarray(4, 6);
  const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, moreSizes >> 4];
  const indexSize = version > 0 ? moreSizes & 15 : 0;
  let at = 6;
  const next = (size: number) => {
    at += size;
    // As floating point, because eight bytes are possible.
    return box.subarray(at - size, at).reduce((value, byte) => value * 256 + byte, 0);
  };
  const places: Range[] = [];
  for (let left = next(version < 2 ? 2 : 4); left > 0; left -= 1) {
    next(version < 2 ? 2 : 4);
    const method = version > 0 ? next(2) & 15 : 0;
    const isHere = next(2) === 0 && method === 0;
    const base = next(baseSize);
    for (let extents = next(2); extents > 0; extents -= 1) {
      next(indexSize);
      const place = { at: base + next(offsetSize), length: next(lengthSize) };
      if (at > box.length) return undefined;
      if (isHere) places.push(place);
    }
    if (at > box.length) return undefined;
  }
  return places;
}
