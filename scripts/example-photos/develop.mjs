import sharp from 'sharp';
import { randomFrom } from './noise.mjs';

/** Turns linear light into a JPEG: film curve, vignette, a little halation and grain. */
export async function develop(pixels, { width, height, exposure = 1, grain = 5, quality = 88, seed }) {
  const random = randomFrom(seed);
  const bytes = Buffer.alloc(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const u = x / width - 0.5;
      const v = y / height - 0.5;
      const lens = exposure * (1 - 0.42 * (u * u + v * v));
      const at = (y * width + x) * 3;
      const grey = pixels[at] * 0.25 + pixels[at + 1] * 0.65 + pixels[at + 2] * 0.1;
      const light = [0, 1, 2].map((i) => film((pixels[at + i] * 0.84 + grey * 0.16) * lens));
      const speck = (random() + random() + random() - 1.5) * grain;
      for (let i = 0; i < 3; i += 1) {
        const tint = (random() - 0.5) * grain * 0.5;
        bytes[at + i] = Math.min(
          255,
          Math.max(0, Math.round(light[i] * 255 + (speck + tint) * (1.15 - light[i] * 0.6))),
        );
      }
    }
  }
  const raw = { width, height, channels: 3 };
  const glow = await sharp(bytes, { raw })
    .blur(width / 90)
    .linear(0.12, 0)
    .raw()
    .toBuffer();
  return sharp(bytes, { raw })
    .composite([{ input: glow, raw, blend: 'screen' }])
    .jpeg({ quality, mozjpeg: true, chromaSubsampling: '4:2:0' })
    .toBuffer();
}

/** A film curve from linear light to a screen value in [0, 1]. */
function film(light) {
  const x = light * 0.62;
  const toned = Math.min(1, (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14));
  return toned <= 0.0031308 ? toned * 12.92 : 1.055 * toned ** (1 / 2.4) - 0.055;
}
