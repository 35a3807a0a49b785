// Seeded randomness: the same call gives the same value on every machine, so the photos can be made again.

/** A random number generator (mulberry32): each call gives a number in [0, 1). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A fixed number in [0, 1) for a point of the integer lattice. */
export function lattice(x, y, z) {
  let hash = Math.imul(x, 374761393) ^ Math.imul(y, 668265263) ^ Math.imul(z, 1274126177);
  hash = Math.imul(hash ^ (hash >>> 13), 1103515245);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822519);
  return ((hash ^ (hash >>> 15)) >>> 0) / 4294967296;
}

/** Smooth value noise in [0, 1). */
export function noise(x, y, z) {
  const ix = Math.floor(x);
  const iy = Math.floor(y);
  const iz = Math.floor(z);
  const fx = ease(x - ix);
  const fy = ease(y - iy);
  const fz = ease(z - iz);
  const near = mix(
    mix(lattice(ix, iy, iz), lattice(ix + 1, iy, iz), fx),
    mix(lattice(ix, iy + 1, iz), lattice(ix + 1, iy + 1, iz), fx),
    fy,
  );
  const far = mix(
    mix(lattice(ix, iy, iz + 1), lattice(ix + 1, iy, iz + 1), fx),
    mix(lattice(ix, iy + 1, iz + 1), lattice(ix + 1, iy + 1, iz + 1), fx),
    fy,
  );
  return mix(near, far, fz);
}

/** Four octaves of noise in [0, 1). */
export function cloud(x, y, z) {
  return (
    noise(x, y, z) * 0.53 +
    noise(x * 2.1 + 7, y * 2.1, z * 2.1) * 0.27 +
    noise(x * 4.3, y * 4.3 + 3, z * 4.3) * 0.13 +
    noise(x * 8.9, y * 8.9, z * 8.9 + 5) * 0.07
  );
}

/** Linear blend of two numbers. */
export function mix(from, to, share) {
  return from + (to - from) * share;
}

/** Linear blend of two colours. */
export function mixColor(from, to, share) {
  return [mix(from[0], to[0], share), mix(from[1], to[1], share), mix(from[2], to[2], share)];
}

/** 0 below `low`, 1 above `high`, a smooth step between. */
export function smoothstep(low, high, value) {
  return ease(Math.min(1, Math.max(0, (value - low) / (high - low))));
}

/** A linear-light colour from a web colour such as `#e8dcc8`. */
export function hex(text) {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(text.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function ease(share) {
  return share * share * (3 - 2 * share);
}
