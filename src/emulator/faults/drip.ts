import { Readable } from 'node:stream';
import type { Fault } from '../fault-rules/fault-rule.ts';
import type { Waits } from './waits.ts';

const FEW_BYTES = 16;

/** The body, a few bytes at a time. */
export function drip(body: Buffer, fault: Extract<Fault, { fault: 'drip' }>, waits: Waits): Readable {
  return Readable.from(drops(body, fault, waits), { objectMode: false });
}

async function* drops(
  body: Buffer,
  { everyMs, bytes = FEW_BYTES }: Extract<Fault, { fault: 'drip' }>,
  waits: Waits,
): AsyncGenerator<Buffer> {
  for (let at = 0; at < body.length; at += bytes) {
    if (at > 0) await waits.wait(everyMs);
    yield body.subarray(at, at + bytes);
  }
}
