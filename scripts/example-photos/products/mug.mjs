import { cloud, hex, lattice, mixColor, noise, smoothstep } from '../noise.mjs';
import { cut, cylinder, join, rectangle } from '../shapes.mjs';

/** A stoneware mug, glazed but for its foot, filled with coffee; the handle points to `angle` (0: to the right). */
export function mug({ glaze = '#9fb59a', clay = '#c9a98a', angle = 0 } = {}) {
  const colors = { glaze: hex(glaze), clay: hex(clay), coffee: hex('#2a140a'), crema: hex('#a8703c') };
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  const local = (x, z) => [x * cos - z * sin, x * sin + z * cos];
  const hollow = (x, y, z) => cylinder(x, y, z, 0.395, 0.09, 1.6, 0.1);
  const distance = (x, y, z) => {
    const [lx, lz] = local(x, z);
    const belly = 0.445 + 0.012 * Math.sin(Math.min(1, Math.max(0, y)) * 3.1);
    const wall = cylinder(lx, y, lz, belly, 0.0, 0.94, 0.045);
    const solid = join(wall, handle(lx, y, lz), 0.07);
    const cup = cut(solid, hollow(lx, y, lz), 0.035);
    return Math.min(cup, cylinder(lx, y, lz, 0.4, 0.1, 0.79, 0.006));
  };
  return {
    bounds: { center: [cos * 0.14, 0.46, -sin * 0.14], radius: 0.88 },
    distance,
    bump: (x, y, z) =>
      0.0011 * Math.sin(y * 70 + cloud(x * 2, y * 2, z * 2) * 3) + 0.0006 * noise(x * 40, y * 40, z * 40),
    surface: (x, y, z) => {
      const [lx, lz] = local(x, z);
      const radius = Math.sqrt(lx * lx + lz * lz);
      if (radius < 0.4 && y > 0.77 && y < 0.8) return coffee(colors, lx, lz, radius);
      const drip = 0.2 + 0.035 * Math.sin(Math.atan2(lz, lx) * 3 + 1) + 0.03 * noise(lx * 6, 0, lz * 6);
      const glazed = radius > 0.48 ? 1 : smoothstep(drip - 0.006, drip + 0.01, y);
      const speck = speckle(lx, y, lz);
      const pool = 0.9 + 0.2 * cloud(lx * 3, y * 5, lz * 3);
      const rim = smoothstep(0.905, 0.938, y) * (radius > 0.39 && radius < 0.47 ? 1 : 0);
      const coat = mixColor(
        colors.glaze.map((part) => part * pool),
        colors.clay,
        0.75 * rim,
      );
      const raw = colors.clay.map((part) => part * (0.85 + 0.3 * noise(lx * 60, y * 60, lz * 60)));
      const color = mixColor(raw, coat, glazed).map((part) => part * (1 - 0.6 * speck));
      return { color, rough: glazed > 0.5 ? 0.14 : 0.9, f0: glazed > 0.5 ? 0.05 : 0.02, soft: 0.08 };
    },
  };
}

function handle(x, y, z) {
  const px = (x - 0.44) / 0.3;
  const py = (y - 0.5) / 0.27;
  const reach = Math.sqrt(px * px + py * py);
  return rectangle(Math.abs(reach - 1) * 0.28, z, 0.045, 0.075, 0.044);
}

function coffee(colors, x, z, radius) {
  const swirl = cloud(x * 5 + z * 2, z * 7 + radius * 9, 4);
  const edge = smoothstep(0.3, 0.395, radius + 0.07 * (swirl - 0.5));
  const foam = 0.8 * edge + 0.16 * smoothstep(0.42, 0.68, swirl);
  return { color: mixColor(colors.coffee, colors.crema, foam), rough: 0.12, f0: 0.03 };
}

/** Dark iron specks in the glaze: 1 inside one, else 0. */
function speckle(x, y, z) {
  const scale = 34;
  const cell = [x, y, z].map((part) => Math.floor(part * scale));
  if (lattice(...cell) > 0.05) return 0;
  const size = 0.15 + 0.3 * lattice(cell[0] + 9, cell[1], cell[2]);
  const off = [x, y, z].map((part, i) => part * scale - cell[i] - 0.5);
  return 1 - smoothstep(size * 0.6, size, Math.hypot(...off));
}
