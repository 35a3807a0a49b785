/**
 * Whether the pixels of a JPEG are all there. Its decoders do not refuse what is missing: they warn, and show grey, or
 * what belongs to another place. So the data of its blocks are followed to their end.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Frame, Jpeg } from './jpeg-frame.ts';
import { type Coefficients, holeFrom, isScanWhole } from './jpeg-scan.ts';

/** A JPEG of which a decoder makes more lines than it has: one pixel of each eight by eight. */
export interface Stretched {
  readonly content: Buffer;
  /** The size in which it is to be decoded. */
  readonly width: number;
  readonly height: number;
  /** How many pixels a decoder makes of it beyond those of the JPEG. */
  readonly more: number;
  /** What a decoder made of it, in so many channels. */
  isWhole(pixels: Buffer, channels: number): boolean;
}

/** Groups of blocks, one below the other. */
const MORE_GROUPS = 4;
/** Of what says to be larger, memory would be asked for that no data need. */
const MOST_PIXELS = 2 ** 28;
const MOST_SIDE = 65_500;
const WORTH_BYTES = 2 ** 19;

/**
 * Of a large picture, a decoder's own code finds out in half the time whether there are data for its last blocks, and none
 * beyond. That does not say what is wrong, so a picture is whole by it, or has to be followed.
 */
export function stretched(content: Buffer, { frame, scans }: Jpeg): Stretched | undefined {
  const [scan, ...others] = scans;
  if (!frame || !scan || others.length > 0 || frame.isProgressive || scan.restartInterval > 0)
    return undefined;
  if (scan.components.length !== frame.components.length) return undefined;
  const [[start, end] = [0, 0]] = scan.segments;
  if (end - start < WORTH_BYTES || holeFrom(content.subarray(start, end), scan) < Infinity) return undefined;
  const { across, down, columns, rows } = groupsOf(frame);
  const [width, height] = [columns * across, (rows + MORE_GROUPS) * down];
  if (width * 8 > MOST_SIDE || height * 8 > MOST_SIDE) return undefined;
  const taller = Buffer.from(content);
  taller.writeUInt16BE(height * 8, frame.heightAt);
  taller.writeUInt16BE(width * 8, frame.heightAt + 2);
  const isWhole = (pixels: Buffer, channels: number) => {
    const nothing = pixels.subarray(-channels);
    const isNothing = (x: number, y: number) => {
      const at = (y * width + x) * channels;
      return pixels.compare(nothing, 0, channels, at, at + channels) === 0;
    };
    const inRow = (y: number, from: number) =>
      Array.from({ length: width - from }, (_, n) => n + from).filter((x) => !isNothing(x, y)).length;
    // The last bits of a picture can make one more group of blocks.
    let more = -across * down;
    for (let y = rows * down; y < height; y += 1) more += inRow(y, 0);
    let last = 0;
    for (let y = (rows - 1) * down; y < rows * down; y += 1) last += inRow(y, width - across);
    return more <= 0 && last > 0;
  };
  const more = width * height * 64 - frame.width * frame.height;
  return { content: taller, width, height, more, isWhole };
}

function groupsOf({ width, height, components }: Frame) {
  const [first, ...others] = components;
  // A single component is not interleaved: its blocks are groups.
  const sampled = first && others.length > 0 ? components : [{ across: 1, down: 1 }];
  const across = Math.max(...sampled.map((one) => one.across));
  const down = Math.max(...sampled.map((one) => one.down));
  return { across, down, columns: Math.ceil(width / 8 / across), rows: Math.ceil(height / 8 / down) };
}

/** Undefined where its pixels are coded in a way that is not read here. */
export async function isJpegWhole(content: Buffer, { frame, scans }: Jpeg) {
  if (!frame || frame.width * frame.height > MOST_PIXELS) return undefined;
  const coefficients: Coefficients = new Map();
  for (const scan of scans) {
    const walk = isScanWhole(content, { frame, scan, coefficients });
    for (let step = walk.next(); ; step = walk.next()) {
      if (step.done && !step.value) return false;
      if (step.done) break;
      await turn();
    }
  }
  return isEveryCoefficientThere(frame, scans);
}

/** Each scan of a progressive JPEG adds to what the ones before it have; without the last ones it is blurred. */
function isEveryCoefficientThere({ isProgressive, components }: Frame, scans: Jpeg['scans']): boolean {
  return components.every(({ id }) => {
    const own = scans.filter((scan) => scan.components.some((one) => one.id === id));
    if (!isProgressive) return own.length > 0;
    const has = (at: number) => own.some(({ from, to, low }) => from <= at && at <= to && low === 0);
    return Array.from({ length: 64 }, (_, at) => at).every(has);
  });
}
