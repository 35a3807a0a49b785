import { cloud, hex, mix, mixColor, noise, smoothstep } from '../noise.mjs';
import { box, cut, rectangle, turned } from '../shapes.mjs';

const TOP = 1.36;
const STRAP = 0.31;

/** A canvas tote that stands, slightly filled, with leather handles and a printed sun over hills. */
export function tote({ angle = 0 } = {}) {
  const colors = {
    canvas: hex('#dccfb4'),
    leather: hex('#7e4f33'),
    metal: hex('#c9a766'),
    sun: hex('#bf5a35'),
    hills: [hex('#7d9477'), hex('#4f6a58'), hex('#c9a35f')],
  };
  const distance = (x, y, z) => {
    const [lx, lz] = turned(x, z, angle);
    return Math.min(bag(lx, y, lz), handles(lx, y, lz));
  };
  return {
    bounds: { center: [0, 0.98, 0], radius: 1.28 },
    stride: 0.7,
    distance,
    bump: (x, y, z) => {
      const [lx, lz] = turned(x, z, angle);
      if (y > 1 && handles(lx, y, lz) < bag(lx, y, lz)) return 0.0012 * noise(lx * 70, y * 70, lz * 70);
      return weave(lx + lz * 0.4, y, 0.0007);
    },
    surface: (x, y, z) => {
      const [lx, lz] = turned(x, z, angle);
      return look(colors, lx, y, lz);
    },
  };
}

function bag(x, y, z) {
  const up = Math.min(1, Math.max(0, y / TOP));
  const bulge = mix(0.235, 0.1, up ** 1.4) + 0.075 * Math.sin(up * 3.14) * (1 - (x / 0.75) ** 2);
  const halfX = 0.66 + 0.045 * up - 0.015 * Math.sin(up * 3.1);
  const sag = 0.035 * Math.cos((x / 0.7) * 3.1) * up;
  const height = (TOP + sag) / 2;
  const plain = box(x, y - height - 0.002, z, halfX, height, bulge, 0.075 * (1 - up) + 0.012);
  if (plain > 0.12) return plain - 0.04;
  const crease =
    0.07 * (noise(x * 1.7 + 3, y * 1.3, z * 0.7) - 0.5) +
    0.022 * Math.sin(x * 7 + y * 4.2 + 2.2 * noise(x * 2, y * 2, 1)) * smoothstep(0.9, 0.1, up) +
    0.02 * Math.sin((Math.abs(x) - 0.3) * 13 + y * 1.5) * smoothstep(0.45, 1, up) * noise(x * 3, y * 2, 5);
  const body = plain + crease * 0.8;
  const inside = box(x, y - 1.1, z, halfX - 0.02, 0.7, bulge - 0.02, 0.01) + crease * 0.8;
  return cut(body, inside, 0.008);
}

function handles(x, y, z) {
  const front = strap(x, y, z - mix(0.185, 0.115, smoothstep(1.05, TOP, y)) - 0.16 * Math.max(0, y - TOP));
  const behind = strap(x - 0.03, y, z + 0.105 + 0.12 * Math.max(0, y - TOP));
  return Math.min(front, behind);
}

/** One strap: two legs sewn to the bag and an arch between them. */
function strap(x, y, z) {
  if (y < 0.9) return Math.max(0.15, 1.08 - y - 0.02);
  const spring = 1.68;
  const arch =
    y > spring
      ? Math.abs(Math.sqrt(x * x + ((y - spring) * 0.95) ** 2) - STRAP)
      : Math.abs(Math.abs(x) - STRAP);
  const flat = Math.max(arch - 0.05, 1.08 - y);
  const leg = rectangle(Math.max(flat, -0.05) + 0.05, z, 0.05, 0.016, 0.012);
  return y > 1.4 ? leg : Math.min(leg, rivet(x, y - 1.13, z), rivet(x, y - 1.27, z));
}

function rivet(x, y, z) {
  const dx = Math.abs(x) - STRAP;
  return Math.sqrt(dx * dx + y * y + ((z - 0.012) * 1.4) ** 2) - 0.024;
}

function look(colors, x, y, z) {
  if (handles(x, y, z) < bag(x, y, z)) return leather(colors, x, y, z);
  const thread = weave(x + z * 0.4, y, 1);
  const tone = 0.94 + 0.09 * thread + 0.1 * (cloud(x * 24, y * 24, z * 24) - 0.5);
  const slub = 0.05 * (noise(x * 5, y * 130, 2) - 0.5) + 0.05 * (noise(x * 130, y * 5, 3) - 0.5);
  let color = colors.canvas.map((part) => part * (tone + slub));
  if (z > 0.05 && y < TOP - 0.02) color = printed(colors, color, x, y, thread);
  const hem = stitches(x, y);
  color = color.map((part) => part * (1 - 0.3 * hem));
  return { color, rough: 0.95, f0: 0.015, soft: 0.16, fuzz: 0.35 };
}

function leather(colors, x, y, z) {
  const metal = [1.13, 1.27].some((at) => Math.hypot(Math.abs(x) - STRAP, y - at) < 0.026);
  if (metal) return { color: colors.metal, rough: 0.25, f0: 0.45 };
  const grain = 0.82 + 0.36 * cloud(x * 26, y * 26, z * 26);
  const edge =
    Math.abs(Math.abs(Math.abs(x) - STRAP) - 0.038) < 0.004 && y < 1.66 && Math.sin(y * 190) > -0.2;
  const color = edge ? colors.canvas.map((part) => part * 0.8) : colors.leather.map((part) => part * grain);
  return { color, rough: 0.5, f0: 0.035, soft: 0.05 };
}

/** A sun over three hills inside an arch, printed so thinly that the weave shows. */
function printed(colors, cloth, x, y, thread) {
  const px = x / 0.34;
  const py = (y - 0.36) / 0.34;
  const outline = py < 0.9 ? Math.abs(px) : Math.sqrt(px * px + (py - 0.9) ** 2);
  const inside = py > 0 ? 1 - smoothstep(0.985, 1.01, outline) : 0;
  if (inside === 0) return cloth;
  const sun = 1 - smoothstep(0.37, 0.385, Math.hypot(px - 0.12, py - 1.12));
  const ink = [mixColor(hex('#e3bd83'), colors.sun, sun)];
  const ridges = [
    [2, 0.86 + 0.13 * Math.sin(px * 2.6 + 0.6)],
    [0, 0.6 + 0.16 * Math.sin(px * 2.4 + 3.4)],
    [1, 0.3 + 0.12 * Math.sin(px * 3.1 + 1.1)],
  ];
  for (const [pick, ridge] of ridges) {
    const below = 1 - smoothstep(ridge - 0.012, ridge + 0.012, py);
    ink.push(mixColor(ink[ink.length - 1], colors.hills[pick], below));
  }
  const cover = inside * (0.88 + 0.12 * thread) * smoothstep(0, 0.03, py);
  return mixColor(cloth, ink[ink.length - 1], Math.min(0.95, cover));
}

function stitches(x, y) {
  const row = Math.max(0, 1 - Math.abs(y - (TOP - 0.085)) / 0.006);
  const seam = Math.max(0, 1 - Math.abs(y - (TOP - 0.098)) / 0.01) * 0.5;
  return Math.min(1, row * (Math.sin(x * 150) > -0.3 ? 1 : 0) + seam);
}

function weave(x, y, size) {
  return size * (Math.sin(x * 560) * Math.sin(y * 560) * 0.75 + 0.25 * Math.sin(x * 280 + Math.sin(y * 280)));
}
