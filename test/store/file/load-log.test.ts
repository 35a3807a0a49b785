import { expect, it } from 'vitest';
import { divergenceFrom, loadLog } from '../../../src/store/file/load-log.ts';
import { LINEAGE } from './sample-log.ts';

it('where there is no log, it is an empty one, which goes on from everything', async () => {
  const loaded = await loadLog(undefined, { file: 'm.state.jsonl', checkpoints: [] });
  if (!loaded.ok) throw new Error(loaded.error.detail);
  expect(loaded.value).toMatchObject({
    isThere: false,
    header: undefined,
    reading: { chain: { seq: 0 }, size: 0 },
  });
  expect(divergenceFrom(loaded.value, { lineage: LINEAGE, last: { seq: 3, crc: 1 } })).toBeUndefined();
});
