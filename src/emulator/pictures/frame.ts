export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Size {
  readonly left: number;
  readonly top: number;
}

/** One side may be this many times as long as the other; nothing sensible can be composed beyond it. */
const STEEPEST = 8;

/** Reads `width:height`; undefined where it is no usable ratio. */
export function parseAspectRatio(text: string): Size | undefined {
  const match = /^(\d{1,5}(?:\.\d{1,4})?):(\d{1,5}(?:\.\d{1,4})?)$/.exec(text.trim());
  if (match === null) return undefined;
  const ratio = { width: Number(match[1]), height: Number(match[2]) };
  const steepness = Math.max(ratio.width / ratio.height, ratio.height / ratio.width);
  return steepness <= STEEPEST ? ratio : undefined;
}

/** The frame of that ratio with the given long side; both sides are multiples of `step`. */
export function frameSize(ratio: Size, longSide: number, step: number): Size {
  const scale = longSide / Math.max(ratio.width, ratio.height);
  const side = (length: number) => Math.max(step, Math.round((length * scale) / step) * step);
  return { width: side(ratio.width), height: side(ratio.height) };
}
