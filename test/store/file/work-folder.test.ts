import { expect, it } from 'vitest';
import { SPILL, statePaths } from '../../../src/store/file/work-folder.ts';

it('all that belongs to a state lies beside it, under its name', () => {
  const { fragment, spill, replaced, ...rest } = statePaths('/campaign/spring.stage.state.jsonl');
  expect(rest).toEqual({
    file: '/campaign/spring.stage.state.jsonl',
    folder: '/campaign',
    work: '/campaign/.campaign',
    home: '/campaign',
    lock: '/campaign/.campaign/spring.stage.state.jsonl.lock',
    holder: '/campaign/.campaign/spring.stage.state.jsonl.lock.json',
    rewrite: '/campaign/.campaign/spring.stage.state.jsonl.rewrite',
    fresh: '/campaign/.campaign/spring.stage.state.jsonl.new',
    committed: '/campaign/.campaign/spring.stage.state.jsonl.git.json',
  });
  expect(fragment('run-1')).toBe('/campaign/.campaign/spring.stage.state.jsonl.torn-run-1');
  expect(replaced('run-1')).toBe('/campaign/.campaign/spring.stage.state.jsonl.replaced-run-1');
  expect(spill('run-1')).toBe('/campaign/.campaign/errored-run-1.jsonl');
});

it('a state in .campaign/ has all that belongs to it beside it', () => {
  const { folder, work, home, lock } = statePaths('/campaign/.campaign/spring.emulator.state.jsonl');
  expect([folder, work, home]).toEqual(['/campaign/.campaign', '/campaign/.campaign', '/campaign']);
  // The same as that of a state beside the folder: it may be moved in without losing what is remembered of it.
  expect(lock).toBe(statePaths('/campaign/spring.emulator.state.jsonl').lock);
});

it('what waits to be taken in is known by its name', () => {
  expect(SPILL.test('errored-run-1.jsonl')).toBe(true);
  for (const other of [
    'errored-run-1.jsonl.imported',
    'not-errored-run-1.jsonl',
    'errored-.jsonl',
    'errored.jsonl',
  ])
    expect(SPILL.test(other)).toBe(false);
});
