import { hex, mix, mixColor, noise, smoothstep } from '../noise.mjs';
import { cylinder, ellipsoid, join, rectangle } from '../shapes.mjs';

/** An amber glass dropper bottle with a paper label. */
export function bottle({ label = '#ece2cf', mark = '#5b7458' } = {}) {
  const colors = {
    label: hex(label),
    mark: hex(mark),
    dark: hex('#2a0e03'),
    light: hex('#b5560f'),
    rubber: hex('#22201f'),
  };
  const glass = (x, y, z) => {
    const body = cylinder(x, y, z, 0.34, 0, 0.92, 0.1);
    const neck = cylinder(x, y, z, 0.15, 0.8, 1.06, 0.02);
    return join(body, neck, 0.12);
  };
  const cap = (x, y, z) => {
    const ribs = 0.004 * Math.cos(Math.atan2(z, x) * 40);
    const collar = cylinder(x, y, z, 0.185, 0.99, 1.2, 0.02) - ribs;
    const bulb = join(
      cylinder(x, y, z, 0.11, 1.18, 1.5, 0.09),
      ellipsoid(x, y - 1.26, z, 0.13, 0.1, 0.13),
      0.06,
    );
    return Math.min(collar, bulb);
  };
  return {
    bounds: { center: [0, 0.75, 0], radius: 0.86 },
    distance: (x, y, z) => Math.min(glass(x, y, z), cap(x, y, z)),
    surface: (x, y, z, normal) => {
      if (cap(x, y, z) < glass(x, y, z))
        return { color: colors.rubber, rough: y < 1.19 ? 0.35 : 0.6, f0: 0.05 };
      const around = Math.atan2(x, z);
      const paper = rectangle(around, y - 0.43, 1.25, 0.26, 0.03);
      if (paper < 0) return labelled(colors, around, y - 0.43, x, z);
      const rim = Math.abs(normal[0]) ** 2;
      const fluid = 1 - smoothstep(0.7, 0.715, y);
      const base = smoothstep(0.16, 0.02, y);
      const depth = mix(0.2, 0.06, fluid) + 0.42 * rim + 0.3 * base + 0.16 * Math.max(0, x * 2.4);
      const color = mixColor(colors.dark, colors.light, Math.min(1, depth));
      return { color, rough: 0.03, f0: 0.075, glow: color.map((part) => part * 0.3 * depth) };
    },
  };
}

/** The label: a sprig in a thin frame, and lines where the small print is. */
function labelled(colors, around, y, x, z) {
  const u = around * 0.34;
  const grain = 0.95 + 0.08 * noise(x * 60, y * 60, z * 60);
  const paper = colors.label.map((part) => part * grain);
  const frame = 1 - smoothstep(0.003, 0.006, Math.abs(rectangle(u, y, 0.235, 0.225, 0.012)));
  let ink = frame;
  const stem = Math.abs(u - 0.02 * Math.sin(y * 9)) < 0.006 && y > -0.03 && y < 0.17 ? 1 : 0;
  ink = Math.max(ink, stem);
  for (const at of [0, 0.045, 0.09, 0.135]) {
    for (const side of [-1, 1]) {
      const du = (u - side * 0.045) * 0.8 * side;
      const dv = y - at - 0.03;
      const along = du * 0.75 + dv * 0.66;
      const across = -du * 0.66 + dv * 0.75;
      ink = Math.max(ink, 1 - smoothstep(0.9, 1.1, Math.hypot(along / 0.036, across / 0.014)));
    }
  }
  for (const [at, half] of [
    [-0.075, 0.12],
    [-0.11, 0.07],
    [-0.165, 0.09],
  ]) {
    const line = rectangle(u, y - at, half, at === -0.075 ? 0.009 : 0.004, 0.003);
    ink = Math.max(ink, 1 - smoothstep(-0.001, 0.002, line));
  }
  return { color: mixColor(paper, colors.mark, ink * 0.92), rough: 0.85, f0: 0.02, soft: 0.08 };
}
