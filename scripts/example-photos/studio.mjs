import { cloud, hex, mix, smoothstep } from './noise.mjs';

// The rooms in which the photos are taken: where the window is, the colour of its light, what stands before it.

/** Soft daylight from the left through a window with panes. */
export function daylight({ warmth = 0.35, pattern = 'window' } = {}) {
  return studio({
    key: [-0.66, 0.62, 0.44],
    keyColor: [1.5, mix(1.47, 1.3, warmth), mix(1.45, 0.98, warmth)],
    skyColor: [0.4, 0.425, 0.46],
    hardness: 7,
    pattern: pattern === 'leaves' ? leaves : panes,
  });
}

/** Low evening sun: warm, long shadows, a blue room. */
export function evening() {
  return studio({
    key: [-0.74, 0.4, 0.5],
    keyColor: [2.3, 1.35, 0.72],
    skyColor: [0.3, 0.32, 0.42],
    hardness: 9,
    pattern: leaves,
  });
}

/** A plain coloured wall behind the table. */
export function wallOf(color, { distance = 3.4, blur = 0.28, lit = 1 } = {}) {
  const [r, g, b] = hex(color);
  return {
    distance,
    blur,
    lit,
    color: (x, y) => {
      const tone = 0.94 + 0.12 * cloud(x * 0.7, y * 0.7, 3);
      return [r * tone, g * tone, b * tone];
    },
  };
}

function studio({ key, keyColor, skyColor, hardness, pattern }) {
  const length = Math.hypot(...key);
  const [kx, ky, kz] = key.map((part) => part / length);
  const flat = Math.hypot(kx, kz);
  const right = [-kz / flat, 0, kx / flat];
  const up = [(-ky * kx) / flat, flat, (-ky * kz) / flat];
  const onWindow = (x, y, z) => [x * right[0] + z * right[2], x * up[0] + y * up[1] + z * up[2]];
  return {
    key: [kx, ky, kz],
    keyColor,
    skyColor,
    hardness,
    bounce: 0.55,
    pattern: (x, y, z) => pattern(...onWindow(x, y, z)),
    reflection: ([dx, dy, dz], rough, tableColor) => {
      const ahead = dx * kx + dy * ky + dz * kz;
      const room = smoothstep(-0.25, 0.25, dy);
      const base = [0, 1, 2].map((i) =>
        mix(tableColor[i] * 0.45, skyColor[i] * mix(0.55, 1.1, Math.max(0, dy)), room),
      );
      if (ahead <= 0.05) return base;
      const [u, v] = onWindow(dx / ahead, dy / ahead, dz / ahead);
      const edge = 0.03 + rough * 0.9;
      const frame =
        (1 - smoothstep(0.42 - edge / 2, 0.42 + edge, Math.abs(u))) *
        (1 - smoothstep(0.55 - edge / 2, 0.55 + edge, Math.abs(v)));
      const bars =
        rough > 0.3 ? 1 : smoothstep(0.015, 0.035, Math.abs(u)) * smoothstep(0.015, 0.035, Math.abs(v - 0.1));
      const power = (frame * bars * 8) / (1 + rough * 5);
      return base.map((value, i) => value + keyColor[i] * power);
    },
  };
}

/** The light that a window with panes lets through, its edges already blurred. */
function panes(u, v) {
  const frame =
    smoothstep(-2.9, -2.35, u) *
    (1 - smoothstep(1.75, 2.3, u)) *
    smoothstep(-1.7, -1.2, v) *
    (1 - smoothstep(2.2, 2.7, v));
  const upright = smoothstep(0.03, 0.16, Math.abs(u + 1.15)) * smoothstep(0.03, 0.16, Math.abs(u - 1.05));
  const across = smoothstep(0.02, 0.14, Math.abs(v - 1.25));
  return 0.3 + 0.7 * frame * (0.35 + 0.65 * upright) * (0.35 + 0.65 * across);
}

/** Sun through foliage: soft patches of shade. */
function leaves(u, v) {
  const patch = cloud(u * 1.5 + v * 0.6 + 4.2, v * 1.1 - u * 0.4, 1.7);
  return mix(0.42, 1.08, smoothstep(0.36, 0.56, patch));
}
