import type { Size } from './frame.ts';
import type { Layout } from './layout.ts';

/** Measures that all layouts share. */
export function grid(frame: Size) {
  const short = Math.min(frame.width, frame.height);
  return {
    margin: short * 0.065,
    /** A circle at a part of the frame, its radius a part of the short side. */
    at: (x: number, y: number, radius: number) => ({
      x: frame.width * x,
      y: frame.height * y,
      radius: short * radius,
    }),
  };
}

/** An arch shows the whole height of the photo and cuts little of its sides. */
export function archHeight(width: number, ratio: number): number {
  return width / clamp(ratio * 0.86, 0.72, 0.98);
}

export function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

export function textHeight(frame: Size): number {
  return Math.max(frame.height * 0.2, Math.min(frame.width, frame.height) * 0.24);
}

/** Text below the photos. */
export function footText(frame: Size, align: 'left' | 'centre'): Layout['text'] {
  const { margin } = grid(frame);
  const height = textHeight(frame);
  const box = {
    left: margin,
    top: frame.height - height + margin * 0.35,
    width: frame.width - 2 * margin,
    height: height - margin * 1.05,
  };
  return { box, align, anchor: 'middle', on: 'ground', scale: 1 };
}

/** Text beside the photos, over a part of the width. */
export function sideText(frame: Size, part: number): Layout['text'] {
  const { margin } = grid(frame);
  const box = {
    left: margin,
    top: margin,
    width: frame.width * part - 1.8 * margin,
    height: frame.height - 2 * margin,
  };
  return { box, align: 'left', anchor: 'middle', on: 'ground', scale: 1.2 };
}
