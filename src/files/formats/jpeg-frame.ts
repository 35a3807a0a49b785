/** What the markers of a JPEG say: its components, and the scans that hold their coefficients. */
import { huffmanTable, type HuffmanTable } from './huffman-codes.ts';

export interface Component {
  readonly id: number;
  /** The number of its quantization table. */
  readonly quantized: number;
  readonly across: number;
  readonly down: number;
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  /** Where the file says the height, in two bytes. */
  readonly heightAt: number;
  readonly isProgressive: boolean;
  readonly components: readonly Component[];
}

export interface Scan {
  readonly components: readonly (Component & {
    readonly dc: HuffmanTable | undefined;
    readonly ac: HuffmanTable | undefined;
  })[];
  /** The first and the last coefficient that it has, in zigzag order. */
  readonly from: number;
  readonly to: number;
  /** The bit above those that are known already, 0 in the first scan of a coefficient; the lowest that it has. */
  readonly high: number;
  readonly low: number;
  /** 0: it has no restart markers. */
  readonly restartInterval: number;
  /** The places of its entropy-coded data, which restart markers separate. */
  readonly segments: readonly (readonly [number, number])[];
}

export interface Jpeg {
  /** Undefined where its pixels are coded in a way that is not read here. */
  readonly frame: Frame | undefined;
  readonly scans: readonly Scan[];
  /** Its end mark is there; what follows it is no part of the picture. */
  readonly isEnded: boolean;
}

interface Mark {
  readonly code: number;
  readonly end: number;
}

const START_OF_SCAN = 0xda;
const END = 0xd9;

export function readJpeg(bytes: Buffer): Jpeg {
  const tables = new Map<number, HuffmanTable>();
  const quantizations = new Set<number>();
  const scans: Scan[] = [];
  let frame: Frame | undefined;
  let restartInterval = 0;
  for (let at = 2; ; ) {
    const mark = markAfter(bytes, at);
    const length = mark && !hasNoLength(mark.code) ? sizeAt(bytes, mark.end) : 0;
    if (!mark || mark.end + length > bytes.length) return { frame, scans, isEnded: false };
    const body = bytes.subarray(mark.end + 2, mark.end + length);
    at = mark.end + length;
    if (mark.code === END) return { frame, scans, isEnded: true };
    if (mark.code === 0xc4) readTables(body, tables);
    else if (mark.code === 0xdb) readQuantizations(body, quantizations);
    else if (mark.code === 0xdd && body.length >= 2) restartInterval = body.readUInt16BE(0);
    else if (mark.code >= 0xc0 && mark.code <= 0xcf && mark.code !== 0xc8 && mark.code !== 0xcc)
      frame = frameOf(mark, body);
    else if (mark.code === START_OF_SCAN) {
      // A decoder says what is wrong.
      if (!frame?.components.every(({ quantized }) => quantizations.has(quantized))) frame = undefined;
      const { segments, end } = segmentsFrom(bytes, at);
      scans.push({ ...scanOf(body, { frame, tables }), restartInterval, segments });
      at = end;
    }
  }
}

/** The next marker; what stands before it and is none is passed over, as decoders do. */
function markAfter(bytes: Buffer, from: number): Mark | undefined {
  for (
    let at = bytes.indexOf(0xff, from);
    at >= 0 && at + 1 < bytes.length;
    at = bytes.indexOf(0xff, at + 1)
  ) {
    const code = bytes[at + 1] as number;
    if (code !== 0 && code !== 0xff) return { code, end: at + 2 };
  }
  return undefined;
}

function hasNoLength(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd9);
}

/** A length counts itself; one that is not there is more than the file has. */
function sizeAt(bytes: Buffer, at: number): number {
  return at + 2 <= bytes.length ? Math.max(2, bytes.readUInt16BE(at)) : 2;
}

/** A zero or another 0xff after 0xff is data. */
function segmentsFrom(bytes: Buffer, from: number) {
  const segments: [number, number][] = [];
  let start = from;
  for (let at = from; ; ) {
    const mark = markAfter(bytes, at);
    // 0xff may be repeated before a marker.
    let end = mark ? mark.end - 2 : bytes.length;
    if (mark) while (end > start && bytes[end - 1] === 0xff) end -= 1;
    segments.push([start, end]);
    if (!mark || mark.code < 0xd0 || mark.code > 0xd7) return { segments, end };
    start = mark.end;
    at = start;
  }
}

/** Baseline, extended and progressive, by Huffman codes; neither arithmetic nor lossless coding. */
function frameOf({ code, end }: Mark, body: Buffer): Frame | undefined {
  if (code > 0xc2 || body.length < 6 || body[0] !== 8) return undefined;
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)];
  const components = Array.from({ length: Math.floor((body.length - 6) / 3) }, (_, n) => {
    const [id = 0, sampling = 0, quantized = 0] = body.subarray(6 + 3 * n);
    return { id, quantized, across: sampling >> 4, down: sampling & 15 };
  });
  const isRead =
    height > 0 &&
    width > 0 &&
    components.length > 0 &&
    components.length <= 4 &&
    components.every(({ across, down }) => across * down);
  return isRead ? { width, height, heightAt: end + 3, isProgressive: code === 0xc2, components } : undefined;
}

function readQuantizations(body: Buffer, known: Set<number>): void {
  for (let at = 0; at < body.length; at += (body[at] as number) < 16 ? 65 : 129)
    known.add((body[at] as number) & 15);
}

function readTables(body: Buffer, tables: Map<number, HuffmanTable>): void {
  for (let at = 0; at + 17 <= body.length; ) {
    const counts = body.subarray(at + 1, at + 17);
    const total = counts.reduce((sum, count) => sum + count, 0);
    const table = huffmanTable(counts, body.subarray(at + 17, at + 17 + total));
    if (table) tables.set(body[at] as number, table);
    at += 17 + total;
  }
}

type Known = { frame: Frame | undefined; tables: ReadonlyMap<number, HuffmanTable> };

function scanOf(body: Buffer, { frame, tables }: Known) {
  const count = body[0] ?? 0;
  const components = Array.from({ length: count }, (_, n) => {
    const [id, choice = 0] = body.subarray(1 + 2 * n);
    const component = frame?.components.find((one) => one.id === id);
    return component && { ...component, dc: tables.get(choice >> 4), ac: tables.get(16 | (choice & 15)) };
  }).filter((one) => one !== undefined);
  const [from = 0, to = 63, approximation = 0] = body.subarray(1 + 2 * count);
  if (!frame?.isProgressive) return { components, from: 0, to: 63, high: 0, low: 0 };
  return { components, from, to, high: approximation >> 4, low: approximation & 15 };
}
