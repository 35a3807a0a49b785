/** A log is rewritten in format 2 before the first event that format 1 cannot hold. */
import * as fs from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StateEvent } from '../../../src/model/state-event.ts';
import type { RequestPayload } from '../../../src/model/payload.ts';
import { plain, request } from '../../log/fold-events.ts';
import type { FoldState } from '../../../src/log/fold-state.ts';
import { AT, EVENTS, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace, read, written } from './state-place.ts';

const PRICED: Extract<StateEvent, { type: 'intent' }> & { request: RequestPayload } = {
  type: 'intent',
  at: AT,
  address: 'media-config/hero@1',
  attempt: 1,
  inputs: {},
  fingerprint: '',
  request: { ...request(1, ['1']), cost: 0.1 },
};
const learned = (value: string): StateEvent => ({ type: 'learned', at: AT, name: 'media_path', value });

let folder: string;
let file: string;

beforeEach(async () => {
  ({ folder, file } = await makePlace());
});
afterEach(() => fs.rm(folder, { recursive: true, force: true }));

async function lines() {
  const text = await fs.readFile(file, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map(
      (line) => JSON.parse(line) as { format?: number; lineage?: string; seq?: number; event?: StateEvent },
    );
}

async function folds(): Promise<unknown> {
  const opened = await read(file);
  if (!opened.ok) throw new Error(opened.error.detail);
  return plain(opened.value.state as FoldState);
}

describe('a log of format 1', () => {
  it('stays one while nothing needs more', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    const state = await written(file);
    await state.recorder.append([learned('/x')]);
    await state.close();
    expect((await lines())[0]).toMatchObject({ format: 1 });
  });

  it('goes on in format 2 under its lineage, with the numbers going on, and is the same state', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    const state = await written(file);
    const before = [1, 2, 3].map((n) => state.recorder.append([learned(`/before/${n}`)]));
    const priced = state.recorder.append([PRICED]);
    const after = [1, 2, 3].map((n) => state.recorder.append([learned(`/after/${n}`)]));
    await Promise.all([...before, priced, ...after]);
    const inMemory = plain(state.recorder.state as FoldState);
    await state.close();
    const [header, ...records] = await lines();
    expect(header).toMatchObject({ format: 2, lineage: LINEAGE, seq: EVENTS.length + 3 });
    expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => EVENTS.length + 4 + index));
    const types = records.map(({ event }) => (event?.type === 'learned' ? event.value : event?.type));
    expect(types.slice(-5)).toEqual(['kept', 'intent', '/after/1', '/after/2', '/after/3']);
    expect(types).toContain('/before/3');
    expect(await folds()).toEqual(inMemory);
    // What this machine remembers goes along: the next run may write.
    const next = await written(file);
    expect(next.diverged).toBeUndefined();
    await next.recorder.append([learned('/next'), { ...PRICED, address: 'media-config/hero@2' }]);
    await next.close('compact');
    expect((await lines())[0]).toMatchObject({ format: 2, lineage: LINEAGE });
  });

  it('is compacted into format 2 where its snapshot says when a request was sent', async () => {
    const state = await written(file);
    const made = { id: 'c-1', concept: 'k-1', items: {} };
    await state.recorder.append([
      { ...PRICED, request: request(1, ['1']) },
      { type: 'created', at: AT, address: PRICED.address, result: made },
      ...Array.from({ length: 50 }, (_unused, n) => learned(`/path/${n}`)),
    ]);
    expect((await lines())[0]).toMatchObject({ format: 1 });
    await state.close('compact');
    expect((await lines())[0]).toMatchObject({ format: 2 });
  });

  it('that is new begins in format 2 if its first record needs it', async () => {
    const state = await written(file);
    await state.recorder.append([{ type: 'spent', at: AT, month: '2026-03', posts: 3, cost: 0.3 }]);
    await state.close();
    expect((await lines()).map(({ format, event }) => format ?? event?.type)).toEqual([2, 'spent']);
  });

  it('stays as it is where it cannot be rewritten: nothing is sent, and the next run takes in what it lacks', async () => {
    await fs.writeFile(file, linesOf(EVENTS).join(''));
    const state = await written(file);
    const rewrite = path.join(folder, '.campaign', `${path.basename(file)}.rewrite`);
    await fs.mkdir(rewrite);
    await expect(state.recorder.append([PRICED])).rejects.toThrow('The state cannot be written');
    await expect(state.recorder.append([learned('/x')])).rejects.toThrow('The state cannot be written');
    const second = { ...PRICED, address: 'media-config/hero@2' };
    await expect(state.recorder.append([second])).rejects.toThrow('The state cannot be written');
    await state.close();
    expect((await lines())[0]).toMatchObject({ format: 1 });
    await fs.rmdir(rewrite);
    const next = await written(file);
    expect(next.warnings).toHaveLength(1);
    expect(next.state.requests.get('media-config/hero@1')).toMatchObject({ status: 'skipped' });
    expect(next.state.learned.get('media_path')).toBe('/x');
    await next.close();
  });
});
