import { open, rm, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { encodeHeader } from '../../../src/store/file/header.ts';
import { divergenceFrom, loadLog } from '../../../src/store/file/load-log.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from './sample-log.ts';
import { makePlace } from './state-place.ts';

it('where there is no log, it is an empty one, which goes on from everything', async () => {
  const loaded = await loadLog(undefined, { file: 'm.state.jsonl' });
  if (!loaded.ok) throw new Error(loaded.error.detail);
  expect(loaded.value).toMatchObject({
    isThere: false,
    header: undefined,
    reading: { chain: { seq: 0 }, size: 0 },
  });
  expect(divergenceFrom(loaded.value, { lineage: LINEAGE, last: { seq: 3, crc: 1 } })).toBeUndefined();
});

it('a file that only names a database is no empty log', async () => {
  const { folder, file } = await makePlace();
  onTestFinished(() => rm(folder, { recursive: true }));
  const movedTo = 'postgres://anna@localhost/campaigns';
  await writeFile(file, encodeHeader(LINEAGE, { ...IDENTITY, movedTo }).line);
  const handle = await open(file);
  try {
    const loaded = await loadLog(handle, { file });
    expect(loaded).toMatchObject({ error: { code: 'state-moved', exit: 76 } });
    expect(!loaded.ok && loaded.error.detail).toContain(`${file} says that ${movedTo} has the state`);
  } finally {
    await handle.close();
  }
});

it.each([
  ['before', '2026-01-01T00:00:00.000Z', LINEAGE, undefined],
  ['never before', '', LINEAGE, undefined],
  ['at the same time, in another copy', AT, LINEAGE, 'older'],
  ['since then', '2026-12-01T00:00:00.000Z', LINEAGE, 'older'],
  ['who knows when', undefined, LINEAGE, 'older'],
  ['before, about another log', '', 'other', 'other-lineage'],
] as const)('a decision about a log settles what was decided %s', async (_, boundAt, lineage, expected) => {
  const { folder, file } = await makePlace();
  onTestFinished(() => rm(folder, { recursive: true }));
  const { campaign, environment, baseUrl: base_url } = IDENTITY;
  const decided = { type: 'rebound', at: AT, campaign, environment, base_url } as const;
  await writeFile(file, linesOf([...EVENTS, decided]).join(''));
  const handle = await open(file);
  try {
    const loaded = await loadLog(handle, { file });
    if (!loaded.ok) throw new Error(loaded.error.detail);
    const checkpoint = { lineage, last: { seq: 30, crc: 1 }, ...(boundAt !== undefined && { boundAt }) };
    expect(divergenceFrom(loaded.value, checkpoint)?.type).toBe(expected);
  } finally {
    await handle.close();
  }
});
