import sharp, { type OverlayOptions } from 'sharp';
import { drawBackdrop, drawGrain } from './backdrop.ts';
import { drawCard } from './draw-card.ts';
import type { Size } from './frame.ts';
import type { Layout } from './layout.ts';
import type { Palette } from './palette.ts';
import type { Photo } from './photo.ts';
import { pick } from './seeded.ts';
import { softLayer } from './soft-layer.ts';
import { setText, type Wording } from './text-block.ts';

/** What a composed picture is made of besides its layout. */
export interface Ingredients {
  readonly palette: Palette;
  /** At least one; a layout with more cards repeats them. */
  readonly photos: readonly [Photo, ...Photo[]];
  readonly wording: Wording;
  readonly random: () => number;
}

/** The picture without its text, RGB pixels of the frame. */
export async function composeScene(frame: Size, layout: Layout, parts: Ingredients): Promise<Buffer> {
  const { palette, photos, random } = parts;
  const backdrop = await drawBackdrop(frame, layout.halo, parts);
  const layers: OverlayOptions[] = [];
  for (const card of layout.cards) {
    const photo = photos[card.photo % photos.length] ?? photos[0];
    layers.push(...(await drawCard(card, frame, { photo, palette, random })));
  }
  if (layout.text.on === 'photo') layers.push(await drawScrim(frame, palette));
  layers.push({ ...drawGrain(frame, random), tile: true, blend: 'soft-light' });
  return sharp(backdrop.input, { raw: backdrop.raw }).composite(layers).removeAlpha().raw().toBuffer();
}

/** The text of the picture, to be laid over its scene. */
export async function composeText(
  frame: Size,
  layout: Layout,
  parts: Ingredients,
): Promise<OverlayOptions[]> {
  const { palette, random, wording } = parts;
  const { box, align, anchor, scale } = layout.text;
  const block = await setText(wording, box, {
    ink: palette.ink,
    quiet: palette.quiet,
    align,
    face: pick(random, ['serif', 'sans']),
    fontSize: Math.sqrt(frame.width * frame.height) * 0.062 * scale,
  });
  const slack = { top: 0, middle: (box.height - block.height) / 2, bottom: box.height - block.height }[
    anchor
  ];
  const indent = align === 'centre' ? (box.width - block.width) / 2 : 0;
  return block.lines.map(({ layer, left, top }) => ({
    ...layer,
    left: Math.max(0, Math.round(box.left + indent + left)),
    top: Math.max(0, Math.round(box.top + slack + top)),
  }));
}

/** The whole picture as JPEG. */
export async function composeStill(frame: Size, layout: Layout, parts: Ingredients): Promise<Buffer> {
  const scene = await composeScene(frame, layout, parts);
  const text = await composeText(frame, layout, parts);
  return sharp(scene, { raw: { ...frame, channels: 3 } })
    .composite(text)
    .jpeg({ quality: 88, chromaSubsampling: '4:4:4' })
    .toBuffer();
}

/** Fades the lower part of the photo into the background colour, so that text on it can be read. */
async function drawScrim(frame: Size, palette: Palette): Promise<OverlayOptions> {
  const colour = palette.ground[0];
  return softLayer(
    `<defs><linearGradient id="s" x1="0" y1="0.52" x2="0" y2="1"><stop offset="0" stop-color="${colour}" stop-opacity="0"/>
    <stop offset="0.5" stop-color="${colour}" stop-opacity="0.74"/><stop offset="1" stop-color="${colour}" stop-opacity="0.95"/>
    </linearGradient></defs><rect width="${frame.width}" height="${frame.height}" fill="url(#s)"/>`,
    frame,
  );
}
