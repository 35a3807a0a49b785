import sharp, { type OverlayOptions } from 'sharp';
import type { Box, Size } from './frame.ts';
import { gradePhoto } from './grade.ts';
import type { Card } from './layout.ts';
import type { Palette } from './palette.ts';
import { cropPhoto, type Photo } from './photo.ts';
import { crispLayer, softLayer } from './soft-layer.ts';

/** The layers of one photo of a layout, from bottom to top: its shadow, then the photo, cut, lit and shaped. */
export async function drawCard(
  card: Card,
  frame: Size,
  look: { photo: Photo; palette: Palette; random: () => number },
): Promise<OverlayOptions[]> {
  const box = wholePixels(card.box);
  const size = { width: box.width, height: box.height };
  const cut = await cropPhoto(look.photo, size, { crop: card.crop, random: look.random });
  const lit = await gradePhoto(cut, size, look);
  const raw = { ...size, channels: 4 as const };
  const place = { left: box.left, top: box.top };
  if (card.shape === 'sheet') return [{ input: lit, raw, ...place }];
  const mask = await maskOf(card.shape, size);
  const shaped = await sharp(lit, { raw })
    .composite([{ ...mask, blend: 'dest-in' }])
    .raw()
    .toBuffer();
  const photo = { input: shaped, raw, ...place };
  if (card.shape === 'fade-bottom' || card.shape === 'fade-left') return [photo];
  return [await shadowOf(outline(card.shape, box), frame, look.palette), photo];
}

async function maskOf(shape: Exclude<Card['shape'], 'sheet'>, size: Size) {
  const { width, height } = size;
  if (shape === 'fade-bottom' || shape === 'fade-left') {
    const direction = shape === 'fade-bottom' ? 'x1="0" y1="1" x2="0" y2="0"' : 'x1="0" y1="0" x2="1" y2="0"';
    return softLayer(
      `<defs><linearGradient id="f" ${direction}><stop offset="0" stop-color="#fff" stop-opacity="0"/>
      <stop offset="0.12" stop-color="#fff" stop-opacity="0.3"/><stop offset="0.34" stop-color="#fff"/></linearGradient></defs>
      <rect width="${width}" height="${height}" fill="url(#f)"/>`,
      size,
    );
  }
  return crispLayer(`<path d="${outline(shape, { left: 0, top: 0, ...size })}" fill="#fff"/>`, size);
}

function outline(shape: 'rounded' | 'arch' | 'disc', { left, top, width, height }: Box): string {
  const short = Math.min(width, height);
  const corner = short * (shape === 'disc' ? 0.5 : 0.055);
  const crown = shape === 'arch' ? width / 2 : corner;
  const [right, bottom] = [left + width, top + height];
  return (
    `M${left} ${top + crown}A${crown} ${crown} 0 0 1 ${left + crown} ${top}H${right - crown}` +
    `A${crown} ${crown} 0 0 1 ${right} ${top + crown}V${bottom - corner}A${corner} ${corner} 0 0 1 ${right - corner} ${bottom}` +
    `H${left + corner}A${corner} ${corner} 0 0 1 ${left} ${bottom - corner}Z`
  );
}

/** Two shadows: a near one, and a far one that makes the card seem raised. */
async function shadowOf(path: string, frame: Size, palette: Palette): Promise<OverlayOptions> {
  const unit = Math.min(frame.width, frame.height) / 100;
  const strength = palette.mood === 'dark' ? 0.6 : 0.3;
  const shadow = (drop: number, opacity: number) =>
    `<path d="${path}" transform="translate(0 ${drop})" fill="${palette.shade}" opacity="${opacity}"/>`;
  return softLayer(shadow(2.6 * unit, strength) + shadow(0.8 * unit, strength * 0.5), frame, 2.4 * unit);
}

function wholePixels({ left, top, width, height }: Box): Box {
  const [x, y] = [Math.round(left), Math.round(top)];
  return { left: x, top: y, width: Math.round(left + width) - x, height: Math.round(top + height) - y };
}
