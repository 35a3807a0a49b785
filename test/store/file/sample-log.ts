import type { StateEvent } from '../../../src/model/state-event.ts';
import type { StateIdentity } from '../../../src/store/store.ts';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { readLog, type LogReading } from '../../../src/store/file/read-log.ts';
import { encodeRecord } from '../../../src/store/file/record.ts';
import { type LogRecord } from '../../../src/log/log-record.ts';

export const LINEAGE = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
export const IDENTITY: StateIdentity = {
  campaign: 'spring-launch',
  environment: 'stage',
  baseUrl: 'https://stage.visuals.example.com/api',
};

const NO_NODES = {
  created: 0,
  updated: 0,
  replaced: 0,
  deleted: 0,
  moved: 0,
  unchanged: 0,
  downloaded: 0,
  failed: 0,
  blocked: 0,
  unknown: 0,
  pending: 0,
};

export const AT = '2026-03-01T10:00:00.000Z';

/** One run that made a product and lost the answer for a second one. */
export const EVENTS: readonly StateEvent[] = [
  {
    type: 'run-started',
    at: AT,
    command: 'apply',
    version: '0.1.0',
    manifest: 'campaign.yaml',
    by: 'anna@studio',
  },
  {
    type: 'intent',
    at: AT,
    address: 'product/tote',
    attempt: 1,
    inputs: { name: 'Töte' },
    fingerprint: 'f1',
  },
  { type: 'created', at: AT, address: 'product/tote', result: { id: 'p-1' } },
  { type: 'intent', at: AT, address: 'product/mug', attempt: 1, inputs: { name: 'Mug' }, fingerprint: 'f2' },
  {
    type: 'run-finished',
    at: AT,
    outcome: 'undecided',
    exit_code: 4,
    nodes: { ...NO_NODES, created: 1, unknown: 1 },
  },
];

/** The lines of a log, the header first, each with its newline. */
export function linesOf(
  events: readonly StateEvent[],
  {
    lineage = LINEAGE,
    run = 'run-1',
    identity = IDENTITY,
  }: { lineage?: string; run?: string; identity?: StateIdentity } = {},
): string[] {
  const { line, crc } = encodeHeader(lineage, identity);
  const lines = [line];
  let end = { seq: 0, crc };
  for (const event of events) {
    const encoded = encodeRecord(event, run, end);
    lines.push(encoded.line);
    end = encoded.end;
  }
  return lines;
}

export function bytesOf(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''));
}

/** Reads bytes as if they were a file that gives at most `block` bytes at a time. */
export async function readBytes(
  bytes: Buffer,
  { block = Number.MAX_SAFE_INTEGER }: { block?: number } = {},
): Promise<{ reading: LogReading; records: LogRecord[] }> {
  const records: LogRecord[] = [];
  const read = (target: Buffer, offset: number, length: number, position: number) => {
    const bytesRead = bytes.copy(target, offset, position, position + Math.min(length, block));
    return Promise.resolve({ bytesRead, buffer: target });
  };
  const reading = await readLog({ read: read as Parameters<typeof readLog>[0]['read'] }, (record) =>
    records.push(record),
  );
  return { reading, records };
}
