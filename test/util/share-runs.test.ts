import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';
import { shareRuns } from '../../src/util/share-runs.ts';

function held() {
  const runs: { readonly key: string; readonly end: (error?: Error) => void }[] = [];
  const shared = shareRuns((key) => {
    const { promise, resolve, reject } = deferred<void>();
    runs.push({ key, end: (error) => (error ? reject(error) : resolve()) });
    return promise;
  });
  const ended: string[] = [];
  const call = (name: string, key = 'a') =>
    shared(key).then(
      () => ended.push(name),
      () => ended.push(`${name} failed`),
    );
  return { call, runs, ended };
}

it('serves all who came during a run with the next one, and each key by itself', async () => {
  const { call, runs, ended } = held();
  const first = call('first');
  const [second, third] = [call('second'), call('third')];
  void call('other', 'b');
  expect(runs.map(({ key }) => key)).toEqual(['a', 'b']);
  runs[0]?.end();
  await first;
  await turn();
  expect(ended).toEqual(['first']);
  runs[2]?.end();
  await Promise.all([second, third]);
  expect([ended, runs.length]).toEqual([['first', 'second', 'third'], 3]);
  const later = call('later');
  runs[3]?.end();
  await later;
  expect(ended.at(-1)).toBe('later');
});

it('runs for those who wait although the run before it failed', async () => {
  const { call, runs, ended } = held();
  const first = call('first');
  const second = call('second');
  runs[0]?.end(new Error('full'));
  await first;
  await turn();
  runs[1]?.end();
  await second;
  expect(ended).toEqual(['first failed', 'second']);
});
