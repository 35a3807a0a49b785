import { cloud, hex, mixColor, noise, smoothstep } from '../noise.mjs';
import { cut, cylinder, ellipsoid, stick } from '../shapes.mjs';

/** A burning candle in a ribbed clay jar. */
export function candle({ jar = '#c98f7a' } = {}) {
  const colors = { jar: hex(jar), wax: hex('#f3e3c4'), wick: hex('#2b2420') };
  const wall = (x, y, z) => {
    const ribs = y > 0.1 && y < 0.78 ? 0.009 * Math.cos(Math.atan2(z, x) * 44) : 0;
    const solid =
      cylinder(x, y, z, 0.46, 0, 0.86, 0.06) -
      ribs * smoothstep(0.1, 0.14, y) * (1 - smoothstep(0.74, 0.78, y));
    return cut(solid, cylinder(x, y, z, 0.405, 0.1, 1.5, 0.06), 0.03);
  };
  const wax = (x, y, z) =>
    cylinder(x, y, z, 0.41, 0.1, 0.72 + 0.03 * smoothstep(0.1, 0.4, Math.hypot(x, z)), 0.01);
  const wick = (x, y, z) => stick(x, y, z, [0, 0.7, 0], [0.012, 0.81, 0], 0.012, 0.01);
  const flame = (x, y, z) => {
    const up = Math.min(1, Math.max(0, (y - 0.79) / 0.25));
    const width = 0.048 * (1 - up * 0.72);
    return ellipsoid(x - 0.012 - 0.012 * up, y - 0.91, z, width, 0.13, width) * 0.8;
  };
  const distance = (x, y, z) => Math.min(wall(x, y, z), wax(x, y, z), wick(x, y, z), flame(x, y, z));
  return {
    bounds: { center: [0, 0.52, 0], radius: 0.8 },
    stride: 0.75,
    distance,
    bump: (x, y, z) => 0.0006 * noise(x * 50, y * 50, z * 50),
    surface: (x, y, z, normal) => {
      const [toWall, toWax, toWick, toFlame] = [wall, wax, wick, flame].map((part) => part(x, y, z));
      const nearest = Math.min(toWall, toWax, toWick, toFlame);
      if (nearest === toFlame) {
        const core = smoothstep(0.8, 0.95, y) * Math.max(0, normal[2]);
        return { emit: mixColor([3.4, 1.7, 0.45], [5, 3.8, 2], core) };
      }
      if (nearest === toWick) return { color: colors.wick, rough: 1, f0: 0.02, glow: [0.4, 0.12, 0.02] };
      const near = 1 / (1 + (x * x + (y - 0.86) ** 2 + z * z) * 9);
      if (nearest === toWax) {
        return {
          color: colors.wax,
          rough: 0.35,
          f0: 0.03,
          soft: 0.4,
          glow: [0.85 * near, 0.45 * near, 0.14 * near],
        };
      }
      const inside = Math.hypot(x, z) < 0.43 && y > 0.7 ? near : 0;
      const tone = 0.86 + 0.3 * cloud(x * 5, y * 5, z * 5);
      const color = colors.jar.map((part) => part * tone);
      return { color, rough: 0.75, f0: 0.03, soft: 0.1, glow: [0.5 * inside, 0.25 * inside, 0.08 * inside] };
    },
  };
}
