import { expect, it } from 'vitest';
import { targetWords } from '../../src/commands/target.ts';

it.each([
  ['campaign.yaml', {}, ''],
  ['./campaign.yaml', {}, ''],
  ['m.yaml', {}, 'm.yaml'],
  ['spring/campaign.yaml', {}, 'spring/campaign.yaml'],
  ['campaign.yaml', { env: 'stage' }, '--env stage'],
  ['m.yaml', { env: 'stage', state: 'states/s.jsonl' }, 'm.yaml --env stage --state states/s.jsonl'],
  // It would be taken for an address.
  ['media/m.yaml', {}, './media/m.yaml'],
  ["our mother's.yaml", {}, "'our mother'\\''s.yaml'"],
])('%s %j is named as %j', (file, options, words) => {
  expect(targetWords(file, options)).toBe(words);
});
