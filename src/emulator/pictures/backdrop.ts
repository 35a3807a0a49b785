import type { Size } from './frame.ts';
import type { Layout } from './layout.ts';
import type { Palette } from './palette.ts';
import { softLayer, type Layer } from './soft-layer.ts';

/** The background: a gradient with two soft pools of light, and the halo of the layout. */
export async function drawBackdrop(
  size: Size,
  halo: Layout['halo'],
  look: { palette: Palette; random: () => number },
): Promise<Layer> {
  const { width, height } = size;
  const { palette, random } = look;
  const angle = random() * 2 * Math.PI;
  const [dx, dy] = [Math.cos(angle) / 2, Math.sin(angle) / 2];
  const strength = palette.mood === 'dark' ? 0.4 : 0.75;
  const pool = (id: string, colour: string) =>
    `<radialGradient id="${id}"><stop offset="0" stop-color="${colour}" stop-opacity="${strength}"/>` +
    `<stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;
  const reach = Math.max(width, height) * (0.45 + 0.2 * random());
  const [x, y] = [width * (0.5 + 0.55 * dy), height * (0.5 + 0.55 * dx)];
  return softLayer(
    `<defs><linearGradient id="ground" x1="${0.5 - dx}" y1="${0.5 - dy}" x2="${0.5 + dx}" y2="${0.5 + dy}">
      <stop offset="0" stop-color="${palette.ground[0]}"/><stop offset="1" stop-color="${palette.ground[1]}"/>
    </linearGradient>${pool('first', palette.glow[0])}${pool('second', palette.glow[1])}</defs>
    <rect width="${width}" height="${height}" fill="url(#ground)"/>
    <circle cx="${x}" cy="${y}" r="${reach}" fill="url(#first)"/>
    <circle cx="${width - x}" cy="${height - y}" r="${reach * 0.8}" fill="url(#second)"/>${halo === undefined ? '' : drawHalo(halo, palette)}`,
    size,
  );
}

function drawHalo({ x, y, radius }: NonNullable<Layout['halo']>, palette: Palette): string {
  const opacity = palette.mood === 'dark' ? 0.34 : 0.6;
  return `<circle cx="${x}" cy="${y}" r="${radius}" fill="${palette.glow[0]}" opacity="${opacity}"/>`;
}

/** Film grain, to be tiled over a picture: without it soft gradients show bands. */
export function drawGrain(frame: Size, random: () => number): Layer {
  const side = Math.min(192, frame.width, frame.height);
  const input = Buffer.alloc(side * side * 4, 255);
  for (let at = 0; at < input.length; at += 4) {
    const value = 128 + Math.round((random() + random() + random() - 1.5) * 20);
    input[at] = input[at + 1] = input[at + 2] = value;
  }
  return { input, raw: { width: side, height: side, channels: 4 } };
}
