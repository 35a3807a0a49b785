import sharp, { type Sharp } from 'sharp';
import type { Size } from './frame.ts';

/** Pixels with alpha, as sharp takes them for compositing. */
export interface Layer {
  readonly input: Buffer;
  readonly raw: { readonly width: number; readonly height: number; readonly channels: 4 };
}

/**
 * Light, shadows and gradients have no detail, so they are drawn this many times smaller and enlarged: that is quick,
 * and soft.
 */
const REDUCTION = 8;

/** Draws SVG elements, in the coordinates of the frame, without hard edges; `blur` is in pixels of the frame. */
export async function softLayer(elements: string, size: Size, blur = 0): Promise<Layer> {
  const small = sharp(svg(elements, size, REDUCTION));
  const blurred = blur / REDUCTION >= 0.3 ? small.blur(blur / REDUCTION) : small;
  const { data, info } = await blurred.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const raw = { width: info.width, height: info.height, channels: 4 as const };
  return toLayer(sharp(data, { raw }).resize({ ...size, fit: 'fill', kernel: 'linear' }), size);
}

/** Draws SVG elements with sharp edges. */
export async function crispLayer(elements: string, size: Size): Promise<Layer> {
  return toLayer(sharp(svg(elements, size, 1)), size);
}

async function toLayer(image: Sharp, size: Size): Promise<Layer> {
  return { input: await image.ensureAlpha().raw().toBuffer(), raw: { ...size, channels: 4 } };
}

function svg(elements: string, { width, height }: Size, reduction: number): Buffer {
  const [w, h] = [Math.max(1, Math.ceil(width / reduction)), Math.max(1, Math.ceil(height / reduction))];
  const attributes = `width="${w}" height="${h}" viewBox="0 0 ${width} ${height}" preserveAspectRatio="none"`;
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${elements}</svg>`);
}
