import { createColors } from 'picocolors';

export type Style = ReturnType<typeof createColors>;

/** `NO_COLOR` and `--no-color` win; otherwise colours where the stream is a terminal. */
export function createStyle(stream: { readonly isTTY?: boolean }, wish: 'auto' | 'never'): Style {
  return createColors(wish === 'auto' && Boolean(stream.isTTY) && !process.env['NO_COLOR']);
}
