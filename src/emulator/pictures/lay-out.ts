import type { Size } from './frame.ts';
import { LANDSCAPE_LAYOUTS } from './landscape-layouts.ts';
import type { Layout, LayoutName, Subject } from './layout.ts';
import { closeUp, fullBleed, note } from './photo-layouts.ts';
import { PORTRAIT_LAYOUTS } from './portrait-layouts.ts';

/** The layout of that name for a frame of any ratio. */
export function layOut(name: LayoutName, frame: Size, subject: Subject): Layout {
  const landscape = frame.width > frame.height * 1.15;
  switch (name) {
    case 'full':
      return fullBleed(frame, subject);
    case 'close':
      return closeUp(frame, subject);
    case 'note':
      return note(frame, subject);
    case 'card':
    case 'arch':
    case 'split':
    case 'pair':
    case 'twin':
      return landscape ? LANDSCAPE_LAYOUTS[name](frame, subject) : PORTRAIT_LAYOUTS[name](frame, subject);
  }
}
