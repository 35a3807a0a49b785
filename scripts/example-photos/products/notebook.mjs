import { cloud, hex, noise, smoothstep } from '../noise.mjs';
import { box, rectangle, stick, turned } from '../shapes.mjs';

/** A clothbound notebook on another one, with elastic band, ribbon and pencil. */
export function notebook({ angle = 0.5, cover = '#4b5f78', second = '#c99c56' } = {}) {
  const colors = {
    cover: hex(cover),
    second: hex(second),
    paper: hex('#efe6d2'),
    band: hex('#c9683f'),
    wood: hex('#d9a86c'),
    lead: hex('#26272b'),
  };
  const upper = (x, y, z) => book(x, y - 0.34, z);
  const lower = (x, y, z) => {
    const [bx, bz] = turned(x + 0.04, z, -0.22);
    return book(bx, y - 0.115, bz);
  };
  const band = (x, y, z) =>
    rectangle(Math.max(Math.abs(y - 0.34) - 0.122, Math.abs(z) - 0.755), x - 0.4, 0.006, 0.022, 0.005);
  const pencil = (x, y, z) => {
    const [px, pz] = turned(x + 0.1, z - 0.1, 0.5);
    const shaft = hexagon(pz, y - 0.497, 0.04);
    const body = Math.max(shaft, Math.abs(px) - 0.5);
    return Math.min(body, stick(px, y, pz, [0.49, 0.497, 0], [0.62, 0.497, 0], 0.038, 0.004));
  };
  const parts = [upper, lower, band, pencil];
  return {
    bounds: { center: [0, 0.28, 0], radius: 1.12 },
    stride: 0.85,
    distance: (x, y, z) => {
      const [lx, lz] = turned(x, z, angle);
      return Math.min(upper(lx, y, lz), lower(lx, y, lz), band(lx, y, lz), pencil(lx, y, lz));
    },
    bump: (x, y, z) =>
      0.0005 * Math.sin(x * 260) * Math.sin(z * 260) + 0.0004 * noise(x * 60, y * 60, z * 60),
    surface: (x, y, z) => {
      const [lx, lz] = turned(x, z, angle);
      const reach = parts.map((part) => part(lx, y, lz));
      const nearest = reach.indexOf(Math.min(...reach));
      if (nearest === 2) return { color: colors.band, rough: 0.8, f0: 0.03, soft: 0.1 };
      if (nearest === 3) return drawn(colors, lx, lz);
      const middle = nearest === 0 ? 0.34 : 0.115;
      const pages = Math.abs(y - middle) < 0.083 && !isSpine(nearest, lx, lz);
      const tone = pages
        ? 0.8 + 0.25 * noise(lx * 2, y * 190, lz * 2)
        : 0.88 + 0.24 * cloud(lx * 20, y * 20, lz * 20);
      const base = pages ? colors.paper : nearest === 0 ? colors.cover : colors.second;
      return { color: base.map((part) => part * tone), rough: 0.85, f0: 0.025, soft: 0.1, fuzz: 0.15 };
    },
  };
}

/** Two boards, a block of pages set back between them, a rounded spine on the left. */
function book(x, y, z) {
  const boards = box(x, Math.abs(y) - 0.1, z, 0.55, 0.017, 0.75, 0.012);
  const pages = box(x + 0.01, y, z, 0.525, 0.09, 0.725, 0.01);
  const spine = box(x + 0.53, y, z, 0.026, 0.112, 0.75, 0.024);
  return Math.min(boards, pages, spine);
}

function isSpine(which, x, z) {
  const bx = which === 0 ? x : turned(x + 0.04, z, -0.22)[0];
  return bx < -0.51;
}

function hexagon(a, b, size) {
  const x = Math.abs(a);
  const y = Math.abs(b);
  return Math.max(x * 0.866 + y * 0.5, y) - size * 0.95;
}

function drawn(colors, x, z) {
  const px = turned(x + 0.1, z - 0.1, 0.5)[0];
  if (px > 0.585) return { color: colors.lead, rough: 0.4, f0: 0.05 };
  if (px > 0.49) return { color: colors.wood, rough: 0.8, f0: 0.03 };
  const end = smoothstep(-0.44, -0.43, px);
  return { color: end > 0.5 ? hex('#23402f') : hex('#c9b07a'), rough: 0.25, f0: 0.05 };
}
