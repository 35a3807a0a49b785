/** Whether the pixels of a WebP are all there: its decoder does not notice what else stands in their place. */
import { setImmediate as turn } from 'node:timers/promises';
import { isVp8Whole, sizeOfVp8 } from './vp8.ts';
import { isLosslessWhole, isVp8lWhole } from './vp8l.ts';

type Walk = Generator<void, boolean>;

export async function isWebpWhole(content: Buffer): Promise<boolean> {
  let transparency: Buffer | undefined;
  for (const { type, data } of chunksIn(content.subarray(12, 8 + content.readUInt32LE(4)))) {
    if (type === 'ALPH') transparency = data;
    const walks: Walk[] = [];
    if (type === 'VP8L') walks.push(isVp8lWhole(data));
    if (type === 'VP8 ') {
      walks.push(isVp8Whole(data));
      if (transparency) walks.push(isTransparencyWhole(transparency, sizeOfVp8(data)));
      transparency = undefined;
    }
    for (const walk of walks) if (!(await isDoneWell(walk))) return false;
  }
  return true;
}

async function isDoneWell(walk: Walk): Promise<boolean> {
  for (let step = walk.next(); ; step = walk.next()) {
    if (step.done) return step.value;
    await turn();
  }
}

/** One byte says how the rest is coded: a byte a pixel, or as lossless pictures are. */
function* isTransparencyWhole(data: Buffer, size: { width: number; height: number }): Walk {
  const isLossless = ((data[0] ?? 0) & 3) === 1;
  if (isLossless) return yield* isLosslessWhole(data, { ...size, start: 1 });
  return data.length > size.width * size.height;
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** Those of a frame of an animation stand in a chunk, after 16 bytes of its own. */
function* chunksIn(bytes: Buffer): Generator<Chunk> {
  for (let at = 0; at + 8 <= bytes.length; ) {
    const type = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + size);
    if (type === 'ANMF') yield* chunksIn(data.subarray(16));
    else yield { type, data };
    at += 8 + size + (size % 2);
  }
}
