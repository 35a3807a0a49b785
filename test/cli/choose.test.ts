import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { choose, type Question, unanswered } from '../../src/cli/choose.ts';
import { isCi } from '../../src/cli/terminal.ts';
import { createManualClock } from '../support/manual-clock.ts';

const PAY: Question<'yes' | 'no'> = {
  prompt: 'Pay?',
  choices: [
    { keys: ['y', 'yes'], does: 'pay', explained: 'Two posts are paid.', value: 'yes' },
    { keys: ['n', 'no', 'q'], does: 'pay nothing', explained: 'Nothing is paid.', value: 'no' },
  ],
};

function terminal() {
  const [input, output, clock] = [new PassThrough(), new PassThrough(), createManualClock()];
  const shown = () => String(output.read() ?? '');
  return { input, output, clock, shown };
}

it.each([
  ['y', 'yes'],
  ['YES ', 'yes'],
  ['n', 'no'],
  ['q', 'no'],
  ['', 'no'],
])('takes "%s" for %s', async (typed, value) => {
  const { shown, ...place } = terminal();
  const chosen = choose(PAY, place);
  place.input.write(`${typed}\n`);
  expect(await chosen).toEqual({ type: 'chosen', value });
  expect(shown()).toBe('  y  pay\n  n  pay nothing (default)\nPay? [y/N/?] ');
  expect(place.clock.pending).toBe(0);
});

it('asks again for anything else, and explains', async () => {
  const { shown, ...place } = terminal();
  const chosen = choose(PAY, place);
  for (const typed of ['apply\u001b[2J', '?', 'y']) {
    await place.clock.settle();
    place.input.write(`${typed}\n`);
  }
  expect(await chosen).toEqual({ type: 'chosen', value: 'yes' });
  expect(shown()).toBe(`  y  pay
  n  pay nothing (default)
Pay? [y/N/?] "apply" is none of the answers; ? explains them.
Pay? [y/N/?]   y  Two posts are paid.
  n  Nothing is paid.
  Without an answer (Ctrl-D, or 10 minutes) the command ends with 5.
Pay? [y/N/?] `);
});

it('takes the end of input, and ten minutes without an answer, for no answer', async () => {
  const early = terminal();
  const ended = choose(PAY, early);
  early.input.end();
  expect(await ended).toEqual({ type: 'ended' });

  const late = terminal();
  const chosen = choose(PAY, late);
  await late.clock.advance(9 * 60_000);
  late.input.write('what?\n');
  await late.clock.advance(9 * 60_000);
  expect(late.clock.pending).toBe(1);
  await late.clock.advance(60_000);
  expect(await chosen).toEqual({ type: 'timed-out' });
  late.shown();
  expect(unanswered({ type: 'timed-out' }, { nothing: 'nothing was sent', terminal: late })).toEqual({
    exit: 5,
    problems: [],
  });
  expect(late.shown()).toBe('No answer for 10 minutes: nothing was sent.\n');
});

it.each([
  [{}, false],
  [{ CI: '' }, false],
  [{ CI: 'false' }, false],
  [{ CI: '0' }, false],
  [{ CI: 'true' }, true],
  [{ CI: 'woodpecker' }, true],
])('a machine runs this where CI says so: %j → %s', (env, is) => {
  expect(isCi(env)).toBe(is);
});
