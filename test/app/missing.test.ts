import { describe, expect, it } from 'vitest';
import { missingOf } from '../../src/app/missing.ts';
import { wishesOf } from '../../src/app/plan-wishes.ts';
import { emptyState } from '../../src/log/fold.ts';
import type { MediaState, TakeState } from '../../src/model/run-state.ts';
import { realDisk } from '../../src/util/disk.ts';

const file = (path: string) => ({ path, sha256: 'f', bytes: 1, contentType: 'image/png' });
const take = (path: string) =>
  ({ status: 'done', goneAt: '2026-11-22', files: [file(path)] }) as unknown as TakeState;

describe('posts that are gone', () => {
  const here = take('here.png');
  const away = take('away.png');
  const media = [here, away].map(
    (each, n) => [`media/hero/${n}`, { takes: [each] } as unknown as MediaState] as const,
  );
  const state = { ...emptyState(), media: new Map(media) };
  const stat = (path: string) =>
    path.endsWith('here.png')
      ? ({ type: 'file', size: 1, mtimeMs: 0, ctimeMs: 0, ino: 1 } as const)
      : ({ type: 'nothing', code: 'ENOENT' } as const);
  const disk = { ...realDisk, stat };
  const wishes = { ...wishesOf({}), recreateMissing: true as const };
  const missing = (files: string | undefined) =>
    missingOf({ disk }, { manifest: { folder: '/x' } as never, files }, { state, wishes });

  it('are missing where their files are not here, and never where files are in a storage', () => {
    expect([here, away].map((each) => missing(undefined)?.takes(each))).toEqual([false, true]);
    expect([here, away].map((each) => missing('s3://bucket')?.takes(each))).toEqual([false, false]);
  });
});
