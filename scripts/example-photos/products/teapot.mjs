import { cloud, hex, noise } from '../noise.mjs';
import { cut, cylinder, ellipsoid, join, rectangle, stick, turned } from '../shapes.mjs';

/** A round teapot in matt glaze with a cane handle over the top; the spout points to `angle`. */
export function teapot({ glaze = '#2f5d62', angle = 0 } = {}) {
  const colors = { glaze: hex(glaze), cane: hex('#b58a54') };
  const distance = (x, y, z) => {
    const [lx, lz] = turned(x, z, angle);
    return Math.min(pot(lx, y, lz), cane(lx, y, lz));
  };
  return {
    bounds: { center: [0, 0.72, 0], radius: 1.14 },
    stride: 0.8,
    distance,
    bump: (x, y, z) => 0.0005 * Math.sin(y * 70) + 0.0002 * noise(x * 30, y * 30, z * 30),
    surface: (x, y, z) => {
      const [lx, lz] = turned(x, z, angle);
      if (cane(lx, y, lz) < pot(lx, y, lz)) {
        const wound = 0.72 + 0.28 * Math.abs(Math.sin(Math.atan2(y - 0.75, lx) * 38 + lz * 20));
        return { color: colors.cane.map((part) => part * wound), rough: 0.7, f0: 0.03, soft: 0.1 };
      }
      const tone = 0.85 + 0.35 * cloud(lx * 4, y * 4, lz * 4);
      return { color: colors.glaze.map((part) => part * tone), rough: 0.34, f0: 0.05, soft: 0.06 };
    },
  };
}

function pot(x, y, z) {
  const belly = ellipsoid(x, y - 0.45, z, 0.62, 0.46, 0.62);
  const foot = cylinder(x, y, z, 0.36, 0, 0.12, 0.03);
  const neck = join(stick(x, y, z, [0.45, 0.36, 0], [0.74, 0.56, 0], 0.15, 0.085), bend(x, y, z), 0.08);
  const spout = cut(neck, stick(x, y, z, [0.85, 0.76, 0], [0.99, 0.93, 0], 0.05, 0.05), 0.02);
  const groove =
    Math.abs(y - 0.845) < 0.05
      ? Math.abs(rectangle(Math.sqrt(x * x + z * z) - 0.33, y - 0.845, 0.006, 0.02, 0.006))
      : 1;
  const lid = ellipsoid(x, y - 0.83, z, 0.33, 0.11, 0.33);
  const knob = ellipsoid(x, y - 1.0, z, 0.085, 0.07, 0.085);
  const stem = cylinder(x, y, z, 0.04, 0.9, 1.0, 0.01);
  const loops = Math.min(loop(x - 0.5, y, z), loop(x + 0.5, y, z));
  const body = join(join(belly, foot, 0.05), spout, 0.1);
  const top = Math.min(Math.max(lid, 0.83 - y), join(stem, knob, 0.05));
  return Math.min(join(body, loops, 0.03), Math.max(top, -groove + 0.004));
}

function bend(x, y, z) {
  return stick(x, y, z, [0.74, 0.56, 0], [0.93, 0.84, 0], 0.085, 0.062);
}

/** One of the two clay loops that hold the handle. */
function loop(x, y, z) {
  const reach = Math.sqrt(x * x + (y - 0.82) ** 2);
  return Math.sqrt((reach - 0.06) ** 2 + z * z) - 0.024;
}

function cane(x, y, z) {
  const px = x / 0.52;
  const py = (y - 0.86) / 0.56;
  if (y < 0.8) return Math.max(0.05, 0.84 - y);
  const reach = (Math.sqrt(px * px + py * py) - 1) * 0.5;
  return (Math.sqrt(reach * reach + z * z) - 0.036) * 0.9;
}
