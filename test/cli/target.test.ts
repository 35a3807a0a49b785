import { expect, it } from 'vitest';
import { targetWords } from '../../src/cli/target.ts';

it.each([
  ['campaign.yaml', {}, ''],
  ['./campaign.yaml', {}, ''],
  ['m.yaml', {}, 'm.yaml'],
  ['spring/campaign.yaml', {}, 'spring/campaign.yaml'],
  ['campaign.yaml', { env: 'stage' }, '--env stage'],
  ['m.yaml', { env: 'stage', state: 'states/s.jsonl' }, 'm.yaml --env stage --state states/s.jsonl'],
  ['m.yaml', { var: ['s=soft', 't=a b'] }, "m.yaml --var s=soft --var 't=a b'"],
  [
    'm.yaml',
    { var: ['s=hard'], varFile: ['our vars.yaml', 'b.yaml'] },
    "m.yaml --var-file 'our vars.yaml' --var-file b.yaml --var s=hard",
  ],
  ['m.yaml', { allowOutside: true as const }, 'm.yaml --allow-outside'],
  // It would be taken for an address.
  ['media/m.yaml', {}, './media/m.yaml'],
  ["our mother's.yaml", {}, "'our mother'\\''s.yaml'"],
])('%s %j is named as %j', (file, options, words) => {
  expect(targetWords(file, options)).toBe(words);
});
