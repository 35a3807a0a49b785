import { cloud, hex, lattice, mix, mixColor, noise, smoothstep } from './noise.mjs';

// What the products stand on. surface(x, z, blur): blur is 1 at the product and grows behind it, and fine structure
// fades with it, as it does out of focus.

/** Oiled oak boards that run from left to right. */
export function oak({ light = '#d9b98c', dark = '#a97c4c' } = {}) {
  const pale = hex(light);
  const deep = hex(dark);
  return {
    average: mixColor(pale, deep, 0.45),
    gloss: 0.1,
    rough: 0.5,
    surface: (x, z, blur) => {
      const board = Math.floor(z / 0.92 + 0.35);
      const across = z / 0.92 + 0.35 - board;
      const tone = lattice(board, 3, 9);
      const sharp = 1 / Math.max(1, blur * blur * 1.3);
      const bend = cloud(x * 0.35 + tone * 40, z * 1.6, board) * 2.6;
      const rings = 0.5 + 0.5 * Math.sin((z * 9 + bend * 5 + tone * 20) * 1.5);
      const fibre = noise(x * 5 + tone * 50, z * 120, 1) * 0.6 + noise(x * 14, z * 260, 2) * 0.4;
      const share =
        0.18 + 0.34 * rings * (0.4 + 0.6 * sharp) + 0.36 * (fibre - 0.5) * sharp + 0.25 * (tone - 0.5);
      const seam = smoothstep(0, 0.016 * Math.max(1, blur), Math.min(across, 1 - across));
      const color = mixColor(pale, deep, share + 0.15);
      return {
        color: color.map((part) => part * mix(0.42, 1, seam)),
        relief: 1 + 0.1 * (fibre - 0.5) * sharp,
      };
    },
  };
}

/** Washed linen with slubs and a few soft folds. */
export function linen(tint = '#d8cfbf') {
  const cloth = hex(tint);
  return {
    average: cloth,
    gloss: 0,
    rough: 1,
    surface: (x, z, blur) => {
      const sharp = 1 / Math.max(1, blur ** 3);
      const wave = noise(x * 2, z * 2, 4) * 1.5;
      const warp = Math.sin(x * 380 + wave) * (0.6 + 0.8 * noise(x * 38, z * 1.7, 1));
      const weft = Math.sin(z * 380 + wave) * (0.6 + 0.8 * noise(z * 38, x * 1.7, 2));
      const weave = (warp * 0.5 + weft * 0.5) * sharp;
      const slub = (noise(x * 60, z * 2.2, 8) + noise(x * 2.2, z * 60, 9) - 1) * sharp;
      const fold = cloud(x * 0.55 + z * 0.3 + 2, z * 0.9 - x * 0.2, 6);
      const slope = fold - cloud(x * 0.55 + z * 0.3 + 2.06, z * 0.9 - x * 0.2 + 0.04, 6);
      const tone = 1 + 0.08 * weave + 0.16 * slub;
      return { color: cloth.map((part) => part * tone), relief: 1 + 9 * slope + 0.16 * weave };
    },
  };
}

/** Pale terrazzo with chips in the given colours, polished. */
export function terrazzo(ground, chips) {
  const base = hex(ground);
  const colors = chips.map(hex);
  return {
    average: base,
    gloss: 0.22,
    rough: 0.25,
    surface: (x, z, blur) => {
      let color = base.map((part) => part * (0.95 + 0.1 * noise(x * 30, z * 30, 2)));
      for (const [scale, share] of [
        [4.2, 0.42],
        [9.5, 0.4],
      ]) {
        const chip = chipAt(x * scale, z * scale, share);
        if (chip === undefined) continue;
        const cover = smoothstep(0, 0.06 * blur, chip.inside);
        color = mixColor(color, colors[Math.floor(chip.pick * colors.length)], cover * 0.85);
      }
      return { color, relief: 1 };
    },
  };
}

/** Plastered or painted stone: matt, cloudy. */
export function stone(tint, { gloss = 0.05 } = {}) {
  const base = hex(tint);
  return {
    average: base,
    gloss,
    rough: 0.6,
    surface: (x, z, blur) => {
      const sharp = 1 / Math.max(1, blur * blur);
      const patch = cloud(x * 1.3, z * 1.3, 11) - 0.5;
      const grain = (noise(x * 70, z * 70, 3) - 0.5) * sharp;
      const pit = smoothstep(0.8, 0.9, noise(x * 24, z * 24, 7)) * sharp;
      const tone = 1 + 0.26 * patch + 0.09 * grain - 0.14 * pit;
      return { color: base.map((part) => part * tone), relief: 1 + 0.1 * grain };
    },
  };
}

/** The angular chip under a point: how far inside it lies and a number that picks its colour. */
function chipAt(x, z, share) {
  const cellX = Math.floor(x);
  const cellZ = Math.floor(z);
  for (let dz = -1; dz <= 1; dz += 1) {
    for (let dx = -1; dx <= 1; dx += 1) {
      const cx = cellX + dx;
      const cz = cellZ + dz;
      if (lattice(cx, 5, cz) > share) continue;
      const px = x - cx - 0.2 - 0.6 * lattice(cx, 6, cz);
      const pz = z - cz - 0.2 - 0.6 * lattice(cx, 7, cz);
      let inside = 1;
      for (let side = 0; side < 5; side += 1) {
        const angle = (side + lattice(cx, 8 + side, cz) * 0.8) * 1.2566;
        const reach = 0.17 + 0.2 * lattice(cx, 20 + side, cz);
        inside = Math.min(inside, reach - px * Math.cos(angle) - pz * Math.sin(angle));
      }
      if (inside > 0) return { inside, pick: lattice(cx, 30, cz) };
    }
  }
  return undefined;
}
