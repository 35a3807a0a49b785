import type { OrientedLayouts } from './layout.ts';
import { archHeight, grid, sideText } from './layout-grid.ts';

/** Text on the left, photos on the right. */
export const LANDSCAPE_LAYOUTS: OrientedLayouts = {
  card: (frame, { photo }) => {
    const { margin, at } = grid(frame);
    const left = frame.width * 0.4;
    const box = { left, top: margin, width: frame.width - left - margin, height: frame.height - 2 * margin };
    return {
      cards: [{ box, photo, shape: 'rounded', crop: 'wide' }],
      text: sideText(frame, 0.4),
      halo: at(0.2, 0.16, 0.32),
    };
  },
  arch: (frame, { photo, ratio }) => {
    const { margin, at } = grid(frame);
    const width = Math.min(frame.width * 0.44, frame.height * 0.84);
    const height = Math.min(frame.height - 1.6 * margin, archHeight(width, ratio));
    const box = { left: frame.width * 0.71 - width / 2, top: (frame.height - height) / 2, width, height };
    return {
      cards: [{ box, photo, shape: 'arch', crop: 'wide' }],
      text: sideText(frame, 0.48),
      halo: at(0.86, 0.3, 0.42),
    };
  },
  split: (frame, { photo }) => {
    const left = frame.width * 0.36;
    const box = { left, top: 0, width: frame.width - left, height: frame.height };
    return { cards: [{ box, photo, shape: 'fade-left', crop: 'wide' }], text: sideText(frame, 0.44) };
  },
  pair: (frame, { photo }) => {
    const { margin, at } = grid(frame);
    const back = {
      left: frame.width * 0.64,
      top: margin,
      width: frame.width * 0.36 - margin,
      height: frame.height * 0.7,
    };
    const front = {
      left: frame.width * 0.42,
      top: frame.height * 0.26,
      width: frame.width * 0.32,
      height: frame.height * 0.74 - margin,
    };
    return {
      cards: [
        { box: back, photo: photo + 1, shape: 'rounded', crop: 'wide' },
        { box: front, photo, shape: 'rounded', crop: 'wide' },
      ],
      text: sideText(frame, 0.42),
      halo: at(0.5, 0.1, 0.36),
    };
  },
  twin: (frame, { photo, ratio }) => {
    const { margin, at } = grid(frame);
    const width = frame.width * 0.275;
    const height = Math.min(frame.height - 3 * margin, archHeight(width, ratio));
    const top = (frame.height - height) / 2;
    const right = frame.width - margin - width;
    return {
      cards: [
        {
          box: { left: right - width - margin * 0.6, top: top + margin * 0.4, width, height },
          photo,
          shape: 'arch',
          crop: 'wide',
        },
        {
          box: { left: right, top: top - margin * 0.4, width, height },
          photo: photo + 1,
          shape: 'arch',
          crop: 'wide',
        },
      ],
      text: sideText(frame, 0.4),
      halo: at(0.68, 0.3, 0.42),
    };
  },
};
