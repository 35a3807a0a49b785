// Signed distances: negative inside a shape, positive outside. Objects are sums and differences of these.

/** A box of the given half sizes around the origin, its edges rounded by `round`. */
export function box(x, y, z, halfX, halfY, halfZ, round) {
  const dx = Math.abs(x) - halfX + round;
  const dy = Math.abs(y) - halfY + round;
  const dz = Math.abs(z) - halfZ + round;
  const outside = Math.sqrt(Math.max(dx, 0) ** 2 + Math.max(dy, 0) ** 2 + Math.max(dz, 0) ** 2);
  return outside + Math.min(0, Math.max(dx, dy, dz)) - round;
}

/** The same in two dimensions; with a radius for x it is a rounded cylinder around the y axis. */
export function rectangle(x, y, halfX, halfY, round) {
  const dx = Math.abs(x) - halfX + round;
  const dy = Math.abs(y) - halfY + round;
  return Math.sqrt(Math.max(dx, 0) ** 2 + Math.max(dy, 0) ** 2) + Math.min(0, Math.max(dx, dy)) - round;
}

/** A cylinder that stands from `bottom` to `top`, its edges rounded. */
export function cylinder(x, y, z, radius, bottom, top, round) {
  return rectangle(Math.sqrt(x * x + z * z), y - (bottom + top) / 2, radius, (top - bottom) / 2, round);
}

/** An ellipsoid around the origin (a bound, exact enough to march along). */
export function ellipsoid(x, y, z, a, b, c) {
  const near = Math.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2);
  const slope = Math.sqrt((x / (a * a)) ** 2 + (y / (b * b)) ** 2 + (z / (c * c)) ** 2);
  return slope === 0 ? -Math.min(a, b, c) : (near * (near - 1)) / slope;
}

/** A round stick between two points, `from` thick at one end and `to` at the other. */
export function stick(x, y, z, start, end, from, to) {
  const ex = end[0] - start[0];
  const ey = end[1] - start[1];
  const ez = end[2] - start[2];
  const px = x - start[0];
  const py = y - start[1];
  const pz = z - start[2];
  const along = Math.min(1, Math.max(0, (px * ex + py * ey + pz * ez) / (ex * ex + ey * ey + ez * ez)));
  const length = Math.sqrt((px - ex * along) ** 2 + (py - ey * along) ** 2 + (pz - ez * along) ** 2);
  return length - (from + (to - from) * along);
}

/** Union with a fillet of size `soft`. */
export function join(a, b, soft) {
  const blend = Math.max(soft - Math.abs(a - b), 0) / soft;
  return Math.min(a, b) - (blend * blend * soft) / 4;
}

/** `a` without `b`, the cut edge rounded by `soft`. */
export function cut(a, b, soft) {
  return -join(-a, b, soft);
}

/** Turns (x, z) around the upright axis by `angle` radians; gives the point as the turned object sees it. */
export function turned(x, z, angle) {
  const cos = Math.cos(angle);
  const sin = Math.sin(angle);
  return [x * cos - z * sin, x * sin + z * cos];
}
