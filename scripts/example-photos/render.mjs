import { mix, smoothstep } from './noise.mjs';

// A small ray marcher. A scene is a product (a signed distance, a surface, a bounding sphere), a table at y = 0,
// a wall behind it and a studio (see studio.mjs). Light is a window to one side, its soft shadow, the light of the
// room with ambient occlusion, and what the table throws back.

/** Renders a scene into linear RGB floats, row by row; pixels on edges get four more samples. */
export function renderScene(scene, camera, { width, height }) {
  const ray = aim(camera, width, height);
  const pixels = new Float32Array(width * height * 3);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      pixels.set(trace(scene, camera.from, ray(x + 0.5, y + 0.5)), (y * width + x) * 3);
    }
  }
  const rough = pixels.slice();
  for (let y = 1; y < height - 1; y += 1) {
    for (let x = 1; x < width - 1; x += 1) {
      const at = (y * width + x) * 3;
      if (!isEdge(rough, at, width * 3)) continue;
      const sum = [rough[at], rough[at + 1], rough[at + 2]];
      for (const [dx, dy] of [
        [0.12, 0.38],
        [0.38, 0.88],
        [0.62, 0.12],
        [0.88, 0.62],
      ]) {
        const sample = trace(scene, camera.from, ray(x + dx, y + dy));
        for (let c = 0; c < 3; c += 1) sum[c] += Math.min(sample[c], 4);
      }
      for (let c = 0; c < 3; c += 1) pixels[at + c] = sum[c] / 5;
    }
  }
  return pixels;
}

/** Gives for a pixel the direction into which the camera looks. */
function aim({ from, to, zoom }, width, height) {
  const forward = unit([to[0] - from[0], to[1] - from[1], to[2] - from[2]]);
  const right = unit([-forward[2], 0, forward[0]]);
  const up = [
    right[1] * forward[2] - right[2] * forward[1],
    right[2] * forward[0] - right[0] * forward[2],
    right[0] * forward[1] - right[1] * forward[0],
  ];
  const long = Math.max(width, height);
  return (x, y) => {
    const u = (x - width / 2) / long / zoom;
    const v = (height / 2 - y) / long / zoom;
    return unit(forward.map((part, i) => part + right[i] * u + up[i] * v));
  };
}

function isEdge(pixels, at, row) {
  for (const other of [at - 3, at + 3, at - row, at + row]) {
    for (let c = 0; c < 3; c += 1) {
      const here = Math.min(1, pixels[at + c]);
      const there = Math.min(1, pixels[other + c]);
      if (Math.abs(here - there) > 0.035 + 0.1 * Math.max(here, there)) return true;
    }
  }
  return false;
}

function trace(scene, from, ray) {
  const hit = marchProduct(scene.product, from, ray);
  if (hit > 0) return shadeProduct(scene, from, ray, hit);
  return shadeRoom(scene, from, ray);
}

/** The length along the ray at which it meets the product, or -1. */
function marchProduct(product, [ox, oy, oz], [dx, dy, dz]) {
  const span = crossSphere(product.bounds, ox, oy, oz, dx, dy, dz);
  if (span === undefined) return -1;
  const floor = dy < 0 ? -oy / dy : Number.POSITIVE_INFINITY;
  const end = Math.min(span[1], floor + 0.001);
  const stride = product.stride ?? 0.9;
  let length = Math.max(span[0], 0.001);
  for (let step = 0; step < 260 && length < end; step += 1) {
    const distance = product.distance(ox + dx * length, oy + dy * length, oz + dz * length);
    if (distance < 0.00025 * length) return length;
    length += distance * stride;
  }
  return -1;
}

function crossSphere({ center, radius }, ox, oy, oz, dx, dy, dz) {
  const cx = ox - center[0];
  const cy = oy - center[1];
  const cz = oz - center[2];
  const along = cx * dx + cy * dy + cz * dz;
  const inside = along * along - (cx * cx + cy * cy + cz * cz - radius * radius);
  if (inside < 0) return undefined;
  const half = Math.sqrt(inside);
  return half < along ? undefined : [-along - half, -along + half];
}

function shadeProduct(scene, from, ray, length) {
  const { product, studio, table } = scene;
  const point = from.map((start, i) => start + ray[i] * length);
  const [x, y, z] = point;
  const normal = normalAt(product, point);
  const look = product.surface(x, y, z, normal);
  if (look.emit !== undefined) return look.emit;

  const facing = Math.max(0.02, -dot(normal, ray));
  const toKey = dot(normal, studio.key);
  const open = openness(product, point, normal);
  const wrap = look.soft ?? 0;
  const shade =
    toKey > -wrap ? shadow(scene, x + normal[0] * 0.02, y + normal[1] * 0.02, z + normal[2] * 0.02) : 0;
  const direct = Math.max(0, (toKey + wrap) / (1 + wrap)) * shade * studio.pattern(x, y, z);
  const sky = (0.62 + 0.38 * normal[1]) * open;
  const back = (0.5 - 0.5 * normal[1]) * (0.35 + 0.65 * open) * Math.exp(-Math.max(0, y) * 0.5);
  const fuzz = (look.fuzz ?? 0) * (1 - facing) ** 3;

  const mirror = ray.map((part, i) => part + 2 * facing * normal[i]);
  const shine = look.f0 + (1 - look.f0) * (1 - look.rough * 0.85) * (1 - facing) ** 5;
  const seen = studio.reflection(mirror, look.rough, table.average);
  const gloss = shine * smoothstep(0, 0.7, open) * (0.4 + 0.6 * shade);
  return look.color.map((color, i) => {
    const light =
      studio.keyColor[i] * direct + studio.skyColor[i] * sky + table.average[i] * back * studio.bounce;
    return color * (1 - shine) * (light + fuzz * light) + seen[i] * gloss + (look.glow?.[i] ?? 0);
  });
}

function normalAt(product, [x, y, z]) {
  const step = product.bump === undefined ? 0.0008 : 0.0016;
  const height = (px, py, pz) => product.distance(px, py, pz) + (product.bump?.(px, py, pz) ?? 0);
  const a = height(x + step, y - step, z - step);
  const b = height(x - step, y - step, z + step);
  const c = height(x - step, y + step, z - step);
  const d = height(x + step, y + step, z + step);
  return unit([a - b - c + d, -a - b + c + d, -a + b - c + d]);
}

/** Share of the window that a point sees: 0 in the core of the shadow, 1 in the open. */
function shadow({ product, studio }, x, y, z) {
  const [dx, dy, dz] = studio.key;
  const grown = { center: product.bounds.center, radius: product.bounds.radius * 1.25 };
  const span = crossSphere(grown, x, y, z, dx, dy, dz);
  if (span === undefined) return 1;
  let length = Math.max(0.012, span[0]);
  let seen = 1;
  for (let step = 0; step < 90 && length < span[1]; step += 1) {
    const distance = product.distance(x + dx * length, y + dy * length, z + dz * length);
    seen = Math.min(seen, (studio.hardness * distance) / length);
    if (seen < -1) break;
    length += Math.min(0.25, Math.max(0.012, Math.abs(distance) * 0.7));
  }
  const clear = Math.max(-1, seen);
  return 0.25 * (1 + clear) ** 2 * (2 - clear);
}

/** Ambient occlusion: 1 in the open, towards 0 in corners and under things. */
function openness(product, [x, y, z], [nx, ny, nz]) {
  let closed = 0;
  let weight = 1;
  for (const reach of [0.02, 0.06, 0.14, 0.3, 0.55]) {
    const px = x + nx * reach;
    const py = y + ny * reach;
    const pz = z + nz * reach;
    const free = Math.min(product.distance(px, py, pz), Math.max(0, py));
    closed += (Math.max(0, reach - free) / reach) * weight * 0.34;
    weight *= 0.78;
  }
  return Math.max(0.04, Math.exp(-closed * 1.15));
}

function shadeRoom(scene, from, ray) {
  const { wall, studio } = scene;
  const floor = ray[1] < -0.0001 ? -from[1] / ray[1] : Number.POSITIVE_INFINITY;
  const depth = Number.isFinite(floor) ? from[2] + ray[2] * floor : Number.NEGATIVE_INFINITY;
  const share = smoothstep(-wall.distance - wall.blur, -wall.distance + wall.blur, depth);
  const color = [0, 0, 0];
  if (share < 1) {
    const length = (-wall.distance - from[2]) / ray[2];
    const x = from[0] + ray[0] * length;
    const y = Math.max(0, from[1] + ray[1] * length);
    const light = Math.max(0, studio.key[2]) * studio.pattern(x, y, -wall.distance) * wall.lit;
    const room = 0.55 + 0.35 * smoothstep(0, 1.6, y);
    add(color, 1 - share, wall.color(x, y), (i) => studio.keyColor[i] * light + studio.skyColor[i] * room);
  }
  if (share > 0)
    addTable(color, share, scene, from, ray, Math.min(floor, (-wall.distance - from[2]) / ray[2]));
  return color;
}

function addTable(color, share, scene, from, ray, length) {
  const { table, product, studio, wall } = scene;
  const x = from[0] + ray[0] * length;
  const z = from[2] + ray[2] * length;
  const point = [x, 0, z];
  const look = table.surface(x, z, length / scene.focus);
  const direct =
    Math.max(0, studio.key[1]) * shadow(scene, x, 0.001, z) * studio.pattern(x, 0, z) * look.relief;
  const corner = mix(0.7, 1, smoothstep(-wall.distance, -wall.distance + 1.2, z));
  const sky = openness(product, point, [0, 1, 0]) * corner;
  add(color, share, look.color, (i) => studio.keyColor[i] * direct + studio.skyColor[i] * sky);
  if (table.gloss === 0) return;

  const mirror = [ray[0], -ray[1], ray[2]];
  const shine = table.gloss * (0.25 + 0.75 * (1 - mirror[1]) ** 4);
  const hit = marchProduct(product, [x, 0.004, z], mirror);
  const seen =
    hit > 0
      ? shadeProduct(scene, [x, 0.004, z], mirror, hit)
      : studio.reflection(mirror, table.rough, table.average);
  for (let i = 0; i < 3; i += 1) color[i] += share * shine * Math.min(seen[i], 2);
}

function add(sum, share, color, light) {
  for (let i = 0; i < 3; i += 1) sum[i] += share * color[i] * light(i);
}

function dot(a, b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function unit(vector) {
  const length = Math.sqrt(dot(vector, vector));
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
