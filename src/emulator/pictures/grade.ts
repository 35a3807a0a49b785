import sharp, { type Sharp } from 'sharp';
import type { Size } from './frame.ts';
import type { Palette } from './palette.ts';
import { softLayer } from './soft-layer.ts';

/** Gives a photo (RGB) the light of the concept; the result has an alpha channel. */
export async function gradePhoto(
  pixels: Buffer,
  size: Size,
  look: { palette: Palette; random: () => number },
): Promise<Buffer> {
  const photo = sharp(pixels, { raw: { ...size, channels: 3 } });
  const lit =
    look.palette.mood === 'dark' ? await byNight(photo, size, look) : await byDay(photo, size, look);
  return lit.ensureAlpha().raw().toBuffer();
}

/** Daylight: a tint of the palette, and light that falls in through a window at a slant. */
async function byDay(
  photo: Sharp,
  size: Size,
  { palette, random }: { palette: Palette; random: () => number },
): Promise<Sharp> {
  const { width, height } = size;
  const lean = width * (0.25 + 0.2 * random());
  const start = width * (0.05 + 0.35 * random());
  const panes = [0, 1, 2].map((index) => {
    const x = start + index * width * 0.17;
    const pane = width * 0.12;
    return `<polygon points="${x + lean},0 ${x + lean + pane},0 ${x + pane - lean},${height} ${x - lean},${height}" fill="#fffaf0" opacity="0.5"/>`;
  });
  const light = await softLayer(
    `<defs><linearGradient id="t" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${palette.glow[1]}"/>
    <stop offset="1" stop-color="${palette.glow[0]}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#t)" opacity="0.45"/>${panes.join('')}`,
    size,
    Math.min(width, height) * 0.018,
  );
  return photo.composite([{ ...light, blend: 'soft-light' }]);
}

/** Night: the photo darkened into the palette, with a coloured lamp on either side. */
async function byNight(
  photo: Sharp,
  size: Size,
  { palette, random }: { palette: Palette; random: () => number },
): Promise<Sharp> {
  const { width, height } = size;
  const dim = await softLayer(
    `<defs><radialGradient id="d" cx="0.5" cy="0.52" r="0.72"><stop offset="0" stop-color="#f6f2fb"/>
    <stop offset="0.45" stop-color="#c3bcdb"/><stop offset="1" stop-color="${palette.ground[1]}"/></radialGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#d)" opacity="0.94"/>`,
    size,
  );
  const lamp = (id: string, colour: string, opacity: number) =>
    `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${opacity}"/>
    <stop offset="0.55" stop-color="${colour}" stop-opacity="${opacity * 0.3}"/>
    <stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
  const level = height * (0.25 + 0.3 * random());
  const swap = random() < 0.5;
  const lamps = await softLayer(
    `<defs>${lamp('a', palette.glow[0], 0.8)}${lamp('b', palette.glow[1], 0.7)}</defs>
    <ellipse cx="${swap ? width : 0}" cy="${level}" rx="${width * 0.75}" ry="${height * 0.75}" fill="url(#a)"/>
    <ellipse cx="${swap ? 0 : width}" cy="${height - level * 0.6}" rx="${width * 0.7}" ry="${height * 0.7}" fill="url(#b)"/>`,
    size,
  );
  return photo.composite([
    { ...dim, blend: 'multiply' },
    { ...lamps, blend: 'screen' },
    { ...lamps, blend: 'soft-light' },
  ]);
}
