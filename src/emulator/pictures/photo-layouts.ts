import type { Size } from './frame.ts';
import type { Card, Layout, Subject } from './layout.ts';
import { clamp, grid, sideText } from './layout-grid.ts';

/**
 * The photo fills the frame. If the frame is much taller or wider than the photo, that would cut the product, so the
 * photo fades into the background instead.
 */
export function fullBleed(frame: Size, { photo, ratio }: Subject): Layout {
  const shape = frame.width / frame.height;
  if (shape < 0.7) {
    const { margin } = grid(frame);
    const height = Math.min(frame.height * 0.8, frame.width / clamp(ratio, 0.74, 0.86));
    const box = { left: 0, top: 0, width: frame.width, height };
    const text = {
      left: margin,
      top: height * 0.98,
      width: frame.width - 2 * margin,
      height: frame.height - height * 0.98 - margin,
    };
    return {
      cards: [{ box, photo, shape: 'fade-bottom', crop: 'wide' }],
      text: { box: text, align: 'left', anchor: 'middle', on: 'ground', scale: 1.15 },
    };
  }
  if (shape > 1.45) {
    const width = Math.min(frame.width, frame.height * clamp(ratio, 1.05, 1.3));
    const box = { left: frame.width - width, top: 0, width, height: frame.height };
    return { cards: [{ box, photo, shape: 'fade-left', crop: 'wide' }], text: sideText(frame, 0.42) };
  }
  return overPhoto(frame, { photo, crop: 'wide' });
}

/** The middle of the photo fills the frame. */
export function closeUp(frame: Size, { photo }: Subject): Layout {
  return overPhoto(frame, { photo, crop: 'close' });
}

function overPhoto(frame: Size, card: { photo: number; crop: Card['crop'] }): Layout {
  const { margin } = grid(frame);
  const box = { left: 0, top: 0, ...frame };
  const height = frame.height * 0.3;
  const text = {
    left: margin,
    top: frame.height - height - margin,
    width: (frame.width - 2 * margin) * 0.86,
    height,
  };
  return {
    cards: [{ box, ...card, shape: 'sheet' }],
    text: { box: text, align: 'left', anchor: 'bottom', on: 'photo', scale: 1 },
  };
}

/** A small round photo above a text: the end of a carousel. */
export function note(frame: Size, { photo }: Subject): Layout {
  const { margin, at } = grid(frame);
  const side = Math.min(frame.width, frame.height) * 0.5;
  const top = frame.height * 0.43 - side * 0.62;
  const box = { left: (frame.width - side) / 2, top, width: side, height: side };
  const below = top + side + margin * 0.8;
  const text = {
    left: margin * 1.4,
    top: below,
    width: frame.width - 2.8 * margin,
    height: frame.height - below - margin,
  };
  return {
    cards: [{ box, photo, shape: 'disc', crop: 'wide' }],
    text: { box: text, align: 'centre', anchor: 'top', on: 'ground', scale: 1.1 },
    halo: at(0.86, 0.14, 0.34),
  };
}
