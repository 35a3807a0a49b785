import { cloud, hex, lattice, noise, smoothstep } from '../noise.mjs';
import { box, turned } from '../shapes.mjs';

/** Two bars of soap on a slatted wooden dish, one leaning on the other. */
export function soap({ angle = 0.3 } = {}) {
  const colors = { lower: hex('#b7c4a1'), upper: hex('#e2bfa8'), wood: hex('#9a6a3f') };
  const lower = (x, y, z) => bar(x + 0.03, y - 0.36, z, 0);
  const upper = (x, y, z) => {
    const [ux, uz] = turned(x - 0.06, z - 0.02, 0.42);
    return bar(ux, y - 0.645, uz, 1);
  };
  const dish = (x, y, z) => {
    const slot = 0.21;
    const row = Math.max(-2, Math.min(2, Math.round(z / slot)));
    const slats = box(x, y - 0.165, z - row * slot, 0.78, 0.045, 0.085, 0.02);
    const rails = box(Math.abs(x) - 0.52, y - 0.07, z, 0.06, 0.07, 0.5, 0.02);
    return Math.min(slats, rails);
  };
  const parts = [lower, upper, dish];
  const inside = (x, z) => turned(x, z, angle);
  return {
    bounds: { center: [0, 0.4, 0], radius: 1.05 },
    stride: 0.85,
    distance: (x, y, z) => {
      const [lx, lz] = inside(x, z);
      return Math.min(lower(lx, y, lz), upper(lx, y, lz), dish(lx, y, lz));
    },
    bump: (x, y, z) => 0.0012 * noise(x * 22, y * 22, z * 22) + 0.0004 * noise(x * 70, y * 70, z * 70),
    surface: (x, y, z) => {
      const [lx, lz] = inside(x, z);
      const reach = parts.map((part) => part(lx, y, lz));
      const nearest = reach.indexOf(Math.min(...reach));
      if (nearest === 2) {
        const fibre =
          0.72 + 0.5 * noise(lx * 3, y * 60, lz * 60) + 0.12 * lattice(Math.round(lz / 0.21), 2, 2);
        return { color: colors.wood.map((part) => part * fibre), rough: 0.7, f0: 0.03, soft: 0.05 };
      }
      const flake = smoothstep(0.8, 0.86, noise(lx * 42 + nearest * 9, y * 42, lz * 42));
      const tone = 0.94 + 0.14 * cloud(lx * 4, y * 6, lz * 4) - 0.1 * flake;
      const base = nearest === 0 ? colors.lower : colors.upper;
      return { color: base.map((part) => part * tone), rough: 0.5, f0: 0.035, soft: 0.12 };
    },
  };
}

/** A rounded bar with a pressed oval and a leaf on top (`pressed` 1) or plain. */
function bar(x, y, z, pressed) {
  const pillow = 0.02 * (1 - Math.min(1, (x / 0.56) ** 2)) * (1 - Math.min(1, (z / 0.36) ** 2));
  const body = box(x, y, z, 0.55, 0.145 + pillow, 0.35, 0.11);
  if (pressed === 0 || y < 0.1 || body > 0.08) return body;
  const oval = Math.abs(Math.hypot(x / 0.36, z / 0.22) - 1) * 0.25;
  const leaf = Math.hypot(x / 0.2, (Math.abs(z) + 0.07) / 0.16) - 1;
  const vein = Math.abs(z) < 0.012 && Math.abs(x) < 0.24 ? 0 : 1;
  const engraved = Math.max(1 - smoothstep(0.008, 0.026, oval), (1 - smoothstep(-0.08, 0.08, leaf)) * vein);
  return (body + 0.02 * engraved) * 0.9;
}
