import type { Box, Size } from './frame.ts';

/** One photo in a picture. */
export interface Card {
  readonly box: Box;
  /** Which of the post's photos; with fewer photos they are repeated. */
  readonly photo: number;
  /** `sheet` has no edge and no shadow; `fade-*` are sheets that fade into the background on that side. */
  readonly shape: 'sheet' | 'fade-bottom' | 'fade-left' | 'rounded' | 'arch' | 'disc';
  readonly crop: 'wide' | 'close';
}

/** Where things are in a picture, in pixels of its frame. */
export interface Layout {
  readonly cards: readonly Card[];
  /** A large circle of coloured light behind the cards. */
  readonly halo?: { readonly x: number; readonly y: number; readonly radius: number };
  readonly text: {
    readonly box: Box;
    readonly align: 'left' | 'centre';
    readonly anchor: 'top' | 'middle' | 'bottom';
    /** `photo`: over a photo, which fades into the background there; `ground`: beside it. */
    readonly on: 'photo' | 'ground';
    /** Size of the headline relative to its usual one. */
    readonly scale: number;
  };
}

export type LayoutName = 'full' | 'card' | 'arch' | 'split' | 'pair' | 'twin' | 'close' | 'note';

/** The photo that a layout is made for: its place among the post's photos, and width by height. */
export interface Subject {
  readonly photo: number;
  readonly ratio: number;
}

/** Layouts that differ between frames that are taller than wide and frames that are wider than tall. */
export type OrientedLayouts = Record<
  'card' | 'arch' | 'split' | 'pair' | 'twin',
  (frame: Size, subject: Subject) => Layout
>;
