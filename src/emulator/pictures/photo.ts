import sharp, { type Sharp } from 'sharp';
import type { Size } from './frame.ts';
import { extractSwatches, type Swatch } from './swatches.ts';

/** A decoded photo, RGB. */
export interface Photo {
  readonly data: Buffer;
  readonly raw: Size & { readonly channels: 3 };
}

/** A photo of 1200 × 1200 pixels takes 4 MB. */
const SHELF = 8;

/**
 * Decodes an image, upright and not longer than the given side. Undefined where this program has no decoder for it (HEIC, for
 * example), or it is damaged: the decoder's own words name files of this machine, and say nothing about the real service.
 */
function loadPhoto(path: string, longSide: number): Promise<Photo | undefined> {
  return decode(sharp(path, { failOn: 'error' }), longSide).catch(() => undefined);
}

/** Photos that were decoded last, and their colours: most campaigns show a few photos in many posts. */
export class PhotoShelf {
  readonly #photos = new Map<string, Photo>();
  readonly #swatches = new Map<string, Promise<readonly Swatch[]>>();

  /** Undefined where it cannot be decoded. */
  async load(path: string, longSide: number): Promise<Photo | undefined> {
    const known = this.#photos.get(path);
    if (known) return known;
    const loaded = await loadPhoto(path, longSide);
    if (!loaded) return undefined;
    const [oldest] = this.#photos.keys();
    if (oldest !== undefined && this.#photos.size >= SHELF) this.#photos.delete(oldest);
    this.#photos.set(path, loaded);
    return loaded;
  }

  /** Its dominant colours; rejects where it cannot be decoded. */
  swatches(path: string): Promise<readonly Swatch[]> {
    const known = this.#swatches.get(path) ?? extractSwatches(path);
    this.#swatches.set(path, known);
    return known;
  }
}

/** Stands in for an image that cannot be decoded, or is at a foreign URL: a plain vessel on a table. */
export async function placeholderPhoto(longSide: number): Promise<Photo> {
  return decode(sharp(Buffer.from(PLACEHOLDER)), longSide);
}

/** Cuts the photo to fill the size: `wide` keeps as much as possible, `close` shows the middle. */
export async function cropPhoto(
  photo: Photo,
  size: Size,
  options: { crop: 'wide' | 'close'; random: () => number },
): Promise<Buffer> {
  const image = sharp(photo.data, { raw: photo.raw });
  if (options.crop === 'close') {
    const part = 0.52 + 0.08 * options.random();
    const width = Math.round(photo.raw.width * part);
    const height = Math.round(photo.raw.height * part);
    const left = Math.round((photo.raw.width - width) * (0.42 + 0.16 * options.random()));
    const top = Math.round((photo.raw.height - height) * (0.42 + 0.16 * options.random()));
    image.extract({ left, top, width, height });
  }
  return image
    .resize({ ...size, fit: 'cover', position: 'centre' })
    .raw()
    .toBuffer();
}

async function decode(image: Sharp, longSide: number): Promise<Photo> {
  const { data, info } = await image
    .autoOrient()
    .resize({ width: longSide, height: longSide, fit: 'inside', withoutEnlargement: true })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, raw: { width: info.width, height: info.height, channels: 3 } };
}

const PLACEHOLDER = `<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="1280" viewBox="0 0 128 128">
<defs>
<linearGradient id="wall" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#f2efea"/><stop offset="1" stop-color="#d9d4cc"/></linearGradient>
<linearGradient id="table" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#cfc8be"/><stop offset="1" stop-color="#e6e1d9"/></linearGradient>
<linearGradient id="body"><stop offset="0" stop-color="#fbfaf8"/><stop offset=".45" stop-color="#e9e5df"/><stop offset="1" stop-color="#b5aea4"/></linearGradient>
<radialGradient id="shadow"><stop offset="0" stop-color="#6f675c" stop-opacity=".55"/><stop offset="1" stop-color="#6f675c" stop-opacity="0"/></radialGradient>
</defs>
<rect width="128" height="128" fill="url(#wall)"/><rect y="88" width="128" height="40" fill="url(#table)"/>
<ellipse cx="70" cy="101" rx="40" ry="7" fill="url(#shadow)"/>
<path d="M55 34h18v12c0 7 15 12 15 32 0 14-6 23-13 23H53c-7 0-13-9-13-23 0-20 15-25 15-32z" fill="url(#body)"/>
<ellipse cx="64" cy="34" rx="9" ry="2.2" fill="#a79f94"/>
</svg>`;
