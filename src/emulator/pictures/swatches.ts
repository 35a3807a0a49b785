import sharp from 'sharp';
import { fromRgb, type Colour } from './colour.ts';

/** A colour and how much of a picture it covers, 0–1. */
export interface Swatch {
  readonly colour: Colour;
  readonly share: number;
}

const CLUSTERS = 8;
const ROUNDS = 8;
const SIDE = 40;

/** The dominant colours of a picture, the largest first (k-means over a thumbnail, in OKLab). */
export async function extractSwatches(path: string): Promise<Swatch[]> {
  const pixels = await sharp(path)
    .resize(SIDE, SIDE, { fit: 'fill' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer();
  const points: Point[] = [];
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    points.push(toPoint(fromRgb(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0)));
  }
  return cluster(points)
    .map(({ centre, size }) => ({ colour: toColour(centre), share: size / points.length }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share);
}

type Point = readonly [lightness: number, a: number, b: number];

function cluster(points: readonly Point[]): { centre: Point; size: number }[] {
  let centres = spread(points);
  let members: Point[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    members = centres.map(() => []);
    for (const point of points) members[nearest(centres, point)]?.push(point);
    centres = centres.map((centre, index) => mean(members[index] ?? []) ?? centre);
  }
  return centres.map((centre, index) => ({ centre, size: members[index]?.length ?? 0 }));
}

/**
 * Starting points as far from each other as possible, so that a small lamp in a dark street gets a colour of its own.
 */
function spread(points: readonly Point[]): Point[] {
  const centres: Point[] = [mean(points) ?? [0, 0, 0]];
  const gaps = points.map((point) => distance(point, centres[0] ?? point));
  while (centres.length < CLUSTERS) {
    let widest = 0;
    for (const [index, gap] of gaps.entries()) if (gap > (gaps[widest] ?? 0)) widest = index;
    const centre = points[widest];
    if (centre === undefined) break;
    centres.push(centre);
    for (const [index, point] of points.entries()) {
      gaps[index] = Math.min(gaps[index] ?? 0, distance(point, centre));
    }
  }
  return centres;
}

function nearest(centres: readonly Point[], point: Point): number {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, centre] of centres.entries()) {
    const gap = distance(centre, point);
    if (gap < least) [best, least] = [index, gap];
  }
  return best;
}

function distance(a: Point, b: Point): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}

function mean(points: readonly Point[]): Point | undefined {
  if (points.length === 0) return undefined;
  const sum = (part: 0 | 1 | 2) => points.reduce((total, point) => total + point[part], 0) / points.length;
  return [sum(0), sum(1), sum(2)];
}

function toPoint({ lightness, chroma, hue }: Colour): Point {
  return [lightness, chroma * Math.cos(hue), chroma * Math.sin(hue)];
}

function toColour([lightness, a, b]: Point): Colour {
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) };
}
