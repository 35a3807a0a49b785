import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import type { Size } from './frame.ts';
import type { Layer } from './soft-layer.ts';

/** What a picture says. */
export interface Wording {
  /** Small capitals above the headline. */
  readonly label: string;
  readonly headline: string;
}

interface TextStyle {
  readonly ink: string;
  readonly quiet: string;
  readonly align: 'left' | 'centre';
  readonly face: keyof typeof FACES;
  /** Height of the headline's letters, in pixels, where it is short. */
  readonly fontSize: number;
}

/** A machine may have no fonts at all, so the typefaces come from a package. */
const FACES = {
  serif: { file: 'DejaVuSerifCondensed-Italic.ttf', name: 'DejaVu Serif Condensed Italic' },
  sans: { file: 'DejaVuSans-ExtraLight.ttf', name: 'DejaVu Sans ExtraLight' },
  label: { file: 'DejaVuSansCondensed.ttf', name: 'DejaVu Sans Condensed' },
} as const;

const SMALLEST = 0.42;
const LONGEST_TEXT = 140;

/** The lines of a wording, one layer each, with the place of each inside the block. */
export interface TextBlock extends Size {
  readonly lines: readonly { readonly layer: Layer; readonly left: number; readonly top: number }[];
}

/** Sets the wording into the room; the headline shrinks until it fits. */
export async function setText(wording: Wording, room: Size, style: TextStyle): Promise<TextBlock> {
  const labelSize = Math.max(12, Math.round(style.fontSize * 0.33));
  const label = await setLine(shorten(wording.label, 36).toUpperCase(), {
    ...room,
    face: FACES.label,
    fontSize: labelSize,
    colour: style.quiet,
    letterSpacing: labelSize * 0.22,
    align: style.align,
  });
  const gap = label === undefined ? 0 : Math.round(style.fontSize * 0.42);
  const used = (label?.raw.height ?? 0) + gap;
  const headline = await fitHeadline(
    wording.headline,
    { width: room.width, height: room.height - used },
    style,
  );
  const width = Math.max(label?.raw.width ?? 0, headline?.raw.width ?? 0);
  const place = (layer: Layer | undefined, top: number) => {
    if (layer === undefined) return [];
    return [{ layer, left: style.align === 'left' ? 0 : Math.round((width - layer.raw.width) / 2), top }];
  };
  const height = used + (headline?.raw.height ?? 0);
  return { width, height, lines: [...place(label, 0), ...place(headline, used)] };
}

async function fitHeadline(text: string, room: Size, style: TextStyle): Promise<Layer | undefined> {
  const words = shorten(text, LONGEST_TEXT);
  for (let scale = 1; ; scale *= 0.86) {
    const layer = await setLine(words, {
      width: room.width,
      face: FACES[style.face],
      fontSize: Math.round(style.fontSize * scale),
      colour: style.ink,
      letterSpacing: 0,
      align: style.align,
    });
    const fits = layer === undefined || (layer.raw.height <= room.height && layer.raw.width <= room.width);
    if (fits) return layer;
    if (scale < SMALLEST) return undefined;
  }
}

async function setLine(
  text: string,
  options: {
    width: number;
    face: { file: string; name: string };
    fontSize: number;
    colour: string;
    letterSpacing: number;
    align: 'left' | 'centre';
  },
): Promise<Layer | undefined> {
  if (text === '') return undefined;
  // Pango takes letter_spacing in 1024ths of a point; at 72 dpi a point is a pixel.
  const spacing = Math.round(options.letterSpacing * 1024);
  const markup = `<span foreground="${options.colour}" letter_spacing="${spacing}">${escapeMarkup(text)}</span>`;
  const { data, info } = await sharp({
    text: {
      text: markup,
      font: `${options.face.name} ${options.fontSize}`,
      fontfile: fontFile(options.face.file),
      width: Math.round(options.width),
      align: options.align,
      spacing: Math.round(options.fontSize * 0.12),
      wrap: 'word-char',
      dpi: 72,
      rgba: true,
    },
  })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { input: data, raw: { width: info.width, height: info.height, channels: 4 } };
}

/** The build puts them beside its code (`scripts/write-parts.mjs`). */
function fontFile(name: string): string {
  const beside = fileURLToPath(new URL(`fonts/${name}`, import.meta.url));
  return existsSync(beside) ? beside : createRequire(import.meta.url).resolve(`dejavu-fonts-ttf/ttf/${name}`);
}

/** One line without control characters, cut between two words. */
function shorten(text: string, length: number): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), length / 2)).trimEnd()}…`;
}

function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
