import type { OrientedLayouts } from './layout.ts';
import { archHeight, clamp, footText, grid, textHeight } from './layout-grid.ts';

/** Photos above, text below. */
export const PORTRAIT_LAYOUTS: OrientedLayouts = {
  card: (frame, { photo, ratio }) => {
    const { margin, at } = grid(frame);
    const width = frame.width - 2 * margin;
    const room = frame.height - textHeight(frame) - margin;
    const height = Math.min(room, width / clamp(ratio, 0.66, 0.9));
    const box = { left: margin, top: margin + (room - height) * 0.6, width, height };
    return {
      cards: [{ box, photo, shape: 'rounded', crop: 'wide' }],
      text: footText(frame, 'left'),
      halo: at(0.9, 0.86, 0.3),
    };
  },
  arch: (frame, { photo, ratio }) => {
    const { at } = grid(frame);
    const room = frame.height - textHeight(frame);
    const width = Math.min(frame.width * 0.78, room * 0.84);
    const height = Math.min(room * 0.9, archHeight(width, ratio));
    const box = { left: (frame.width - width) / 2, top: (room - height) * 0.62, width, height };
    return {
      cards: [{ box, photo, shape: 'arch', crop: 'wide' }],
      text: footText(frame, 'centre'),
      halo: at(0.78, 0.24, 0.34),
    };
  },
  split: (frame, { photo, ratio }) => {
    const room = frame.height - textHeight(frame) * 1.12;
    const height = Math.min(room, frame.width / clamp(ratio, 0.62, 0.85));
    const box = { left: 0, top: 0, width: frame.width, height };
    return { cards: [{ box, photo, shape: 'sheet', crop: 'wide' }], text: footText(frame, 'left') };
  },
  pair: (frame, { photo, ratio }) => {
    const { margin, at } = grid(frame);
    const room = frame.height - textHeight(frame) - margin;
    const width = frame.width * 0.56;
    const height = Math.min(room * 0.65, width / clamp(ratio, 0.7, 0.86));
    const top = margin + (room - height * 1.54) / 2;
    const back = { left: frame.width - margin - width, top, width, height };
    const front = { left: margin, top: top + height * 0.54, width, height };
    return {
      cards: [
        { box: back, photo: photo + 1, shape: 'rounded', crop: 'wide' },
        { box: front, photo, shape: 'rounded', crop: 'wide' },
      ],
      text: footText(frame, 'left'),
      halo: at(0.2, 0.2, 0.3),
    };
  },
  twin: (frame, { photo, ratio }) => {
    // Side by side in a tall frame both would be tiny.
    if (frame.height > frame.width * 1.5) return PORTRAIT_LAYOUTS.pair(frame, { photo, ratio });
    const { margin, at } = grid(frame);
    const room = frame.height - textHeight(frame);
    const width = (frame.width - 2.6 * margin) / 2;
    const height = Math.min(room * 0.8, archHeight(width, ratio));
    const top = (room - height) / 2;
    return {
      cards: [
        { box: { left: margin, top: top + margin * 0.7, width, height }, photo, shape: 'arch', crop: 'wide' },
        {
          box: { left: frame.width - margin - width, top: top - margin * 0.1, width, height },
          photo: photo + 1,
          shape: 'arch',
          crop: 'wide',
        },
      ],
      text: footText(frame, 'centre'),
      halo: at(0.5, 0.3, 0.4),
    };
  },
};
