import { cloud, hex, noise, randomFrom } from '../noise.mjs';
import { cut, stick } from '../shapes.mjs';

/** A sandy bottle vase with dried stems. */
export function vase({ clay = '#d8b8a0' } = {}) {
  const colors = { clay: hex(clay), stem: hex('#8a7444'), ear: hex('#cfa869') };
  const { stems, ears } = grasses();
  const body = (x, y, z) => {
    const radius = Math.sqrt(x * x + z * z);
    const bare = radius - profile(y);
    const solid = Math.max(bare * 0.72, -y, y - 1.26);
    return cut(solid, Math.max(radius - 0.1, 0.9 - y), 0.03) - 0.012;
  };
  const grass = (x, y, z) => {
    if (y < 1.0) return Math.max(0.08, 1.1 - y);
    let nearest = 1;
    for (const [start, end] of stems) nearest = Math.min(nearest, stick(x, y, z, start, end, 0.011, 0.007));
    return nearest;
  };
  const ear = (x, y, z) => {
    if (y < 1.35) return Math.max(0.08, 1.45 - y);
    let nearest = 1;
    for (const [start, end, size] of ears)
      nearest = Math.min(nearest, stick(x, y, z, start, end, size, size * 0.3));
    return nearest * 0.9;
  };
  return {
    bounds: { center: [0, 1.2, 0], radius: 1.32 },
    stride: 0.8,
    distance: (x, y, z) => Math.min(body(x, y, z), grass(x, y, z), ear(x, y, z)),
    bump: (x, y, z) =>
      0.0012 * Math.sin(y * 95 + noise(x * 3, y * 3, z * 3) * 2) + 0.0016 * noise(x * 50, y * 50, z * 50),
    surface: (x, y, z) => {
      const clayAt = body(x, y, z);
      const grassAt = grass(x, y, z);
      const earAt = ear(x, y, z);
      if (clayAt <= Math.min(grassAt, earAt)) {
        const tone = 0.82 + 0.36 * cloud(x * 3, y * 5, z * 3) + 0.08 * (noise(x * 70, y * 70, z * 70) - 0.5);
        return { color: colors.clay.map((part) => part * tone), rough: 0.9, f0: 0.02, soft: 0.14 };
      }
      const base = grassAt < earAt ? colors.stem : colors.ear;
      const tone = 0.75 + 0.5 * noise(x * 40, y * 40, z * 40);
      return { color: base.map((part) => part * tone), rough: 0.9, f0: 0.02, soft: 0.3, fuzz: 0.4 };
    },
  };
}

/** Radius of the vase at a height. */
function profile(y) {
  const t = Math.min(1.26, Math.max(0, y));
  const belly = 0.3 + 0.23 * Math.sin(Math.min(1, t / 0.78) * 2.55 + 0.28);
  const neck = 0.135 + 0.05 * Math.max(0, (t - 1.05) / 0.2) ** 2;
  const share = Math.min(1, Math.max(0, (t - 0.45) / 0.5));
  const smooth = share * share * (3 - 2 * share);
  return belly * (1 - smooth) + neck * smooth;
}

/** Stems that lean out of the neck, each with grains towards its tip. */
function grasses() {
  const random = randomFrom(12);
  const stems = [];
  const ears = [];
  for (let i = 0; i < 6; i += 1) {
    const around = (i / 6) * 6.283 + random() * 0.7;
    const lean = 0.16 + random() * 0.34;
    const top = 1.95 + random() * 0.42;
    const knee = [
      Math.cos(around) * (0.05 + lean * 0.35),
      1.2 + (top - 1.2) * 0.5,
      Math.sin(around) * (0.05 + lean * 0.35),
    ];
    const tip = [Math.cos(around) * (0.05 + lean), top, Math.sin(around) * (0.05 + lean)];
    stems.push([[Math.cos(around) * 0.03, 1.0, Math.sin(around) * 0.03], knee], [knee, tip]);
    for (let grain = 0; grain < 5; grain += 1) {
      const at = 0.55 + grain * 0.1;
      const from = knee.map((part, axis) => part + (tip[axis] - part) * at);
      const side = grain % 2 === 0 ? 1 : -1;
      const reach = 0.075 - grain * 0.006;
      ears.push([
        from,
        [from[0] + side * reach * 0.5, from[1] + reach, from[2] + side * 0.02],
        0.027 - grain * 0.002,
      ]);
    }
  }
  return { stems, ears };
}
