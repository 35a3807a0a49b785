import sharp from 'sharp';
import { cloud, noise, randomFrom, smoothstep } from './noise.mjs';

/** Neon signs over a wet street at night: lights out of focus above, their reflections on asphalt below. */
export async function neonStreet({ width, height, seed, colors, quality = 86 }) {
  const horizon = Math.round(height * 0.46);
  const above = await rasterise(signs(width, horizon, { seed, colors }), width, horizon);
  const below = await reflection(above, width, height - horizon);
  const bytes = Buffer.alloc(width * height * 3);
  above.data.copy(bytes);
  const random = randomFrom(seed);
  for (let y = horizon; y < height; y += 1) {
    const depth = (y - horizon) / (height - horizon);
    const scale = 0.5 + 3.2 * (1 - depth);
    for (let x = 0; x < width; x += 1) {
      const u = (x - width / 2) * scale;
      const v = 900 / (depth + 0.12);
      const wet = smoothstep(0.4, 0.62, cloud(u / 210, v / 130, seed));
      const grit = noise(u / 3.2, v / 1.6, 2) * (1 - wet * 0.75);
      const sway = Math.round((noise(u / 22, v / 9, 5) - 0.5) * (10 + 46 * (1 - wet)));
      const from = ((y - horizon) * width + Math.min(width - 1, Math.max(0, x + sway))) * 3;
      const at = (y * width + x) * 3;
      const share = (0.34 + 0.5 * wet) * (1 - 0.35 * depth);
      for (let c = 0; c < 3; c += 1) {
        bytes[at + c] = Math.min(
          255,
          9 + c * 3 + below[from + c] * share * (0.72 + 0.6 * grit) + 26 * grit * (1 - wet),
        );
      }
    }
  }
  for (let at = 0; at < bytes.length; at += 3) {
    const speck = (random() + random() - 1) * 13;
    for (let c = 0; c < 3; c += 1) bytes[at + c] = Math.min(255, Math.max(0, bytes[at + c] + speck));
  }
  const raw = { width, height, channels: 3 };
  const glow = await sharp(bytes, { raw }).blur(38).linear(0.5, 0).raw().toBuffer();
  return sharp(bytes, { raw })
    .composite([{ input: glow, raw, blend: 'screen' }])
    .jpeg({ quality, mozjpeg: true })
    .toBuffer();
}

/** The lights upside down, drawn out into upright streaks as rough water does. */
async function reflection({ data, info }, width, height) {
  const squeezed = await sharp(data, { raw: info })
    .flip()
    .resize(width, 14, { fit: 'fill' })
    .raw()
    .toBuffer();
  return sharp(squeezed, { raw: { ...info, height: 14 } })
    .resize(width, height, { fit: 'fill' })
    .blur(9)
    .linear(1.5, 0)
    .raw()
    .toBuffer();
}

async function rasterise(svg, width, height) {
  const { data, info } = await sharp(Buffer.from(svg))
    .resize(width, height, { fit: 'fill' })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, info: { width: info.width, height: info.height, channels: info.channels } };
}

/** House fronts as dark blocks, neon tubes on them, and round lights far away. */
function signs(width, height, { seed, colors }) {
  const random = randomFrom(seed);
  const blocks = Array.from({ length: 9 }, (_, i) => {
    const x = (i / 9) * width - 20;
    const top = height * (0.05 + 0.5 * random() * (1 - Math.abs(i - 4) / 6));
    return `<rect x="${x}" y="${top}" width="${width / 8}" height="${height}" fill="#0d0f1c" opacity="0.8"/>`;
  });
  const tubes = Array.from({ length: 11 }, (_, i) =>
    tube(random, { width, height, color: colors[i % colors.length] }),
  );
  const lights = Array.from({ length: 26 }, (_, i) => {
    const radius = height * (0.02 + 0.045 * random());
    const place = `cx="${random() * width}" cy="${height * (0.35 + 0.6 * random())}" r="${radius}"`;
    return `<circle ${place} fill="${colors[(i * 2 + 1) % colors.length]}" opacity="${0.25 + 0.4 * random()}"/>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs>
      <linearGradient id="sky" x1="0" y1="0" x2="0" y2="1">
        <stop offset="0" stop-color="#0a0d1d"/><stop offset="1" stop-color="#2c1740"/>
      </linearGradient>
      <filter id="far" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur stdDeviation="3"/></filter>
      <filter id="halo" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="${height / 22}"/></filter>
      <filter id="soft" x="-60%" y="-60%" width="220%" height="220%"><feGaussianBlur stdDeviation="${height / 260}"/></filter>
    </defs>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    <g filter="url(#far)">${blocks.join('')}${lights.join('')}</g>
    <g filter="url(#halo)" opacity="0.95">${tubes.map(({ wide }) => wide).join('')}</g>
    <g filter="url(#soft)">${tubes.map(({ thin }) => thin).join('')}</g>
  </svg>`;
}

/** One neon tube: an upright bar, a ring or an arrow. */
function tube(random, { width, height, color }) {
  const x = width * (0.04 + 0.92 * random());
  const y = height * (0.15 + 0.45 * random());
  const size = height * (0.1 + 0.13 * random());
  const shapes = [
    `M ${x} ${y} v ${size * 1.9}`,
    `M ${x - size / 2} ${y} a ${size / 2} ${size / 2} 0 1 0 ${size} 0 a ${size / 2} ${size / 2} 0 1 0 ${-size} 0`,
    `M ${x} ${y} h ${size * 1.5} m 0 ${size * 0.35} h ${-size * 1.5}`,
    `M ${x} ${y} v ${size * 1.6} m ${size * 0.3} 0 v ${-size * 1.6}`,
  ];
  const path = shapes[Math.floor(random() * shapes.length)];
  const line = (stroke, thick) =>
    `<path d="${path}" fill="none" stroke="${stroke}" stroke-width="${thick}" stroke-linecap="round"/>`;
  return { wide: line(color, height / 15), thin: line(color, height / 60) + line('#fff4fb', height / 170) };
}
