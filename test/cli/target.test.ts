import { expect, it } from 'vitest';
import path from 'node:path';
import { withoutStorage } from '../../src/model/command-text.ts';
import { targetInFolder, targetWords } from '../../src/cli/target.ts';

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

it.each([
  ['/home/anna/shop/campaign.yaml', {}, ''],
  ['/home/anna/shop/m.yaml', { state: '/home/anna/shop/s/a.jsonl' }, 'm.yaml --state s/a.jsonl'],
  ['/home/anna/shop/m.yaml', { state: '/home/bob/b.jsonl' }, "m.yaml --state '…/b.jsonl'"],
  ['/home/anna/shop/m.yaml', { state: 'file:///home/bob/b.jsonl' }, "m.yaml --state '…/b.jsonl'"],
  [
    'm.yaml',
    { state: 'postgres://anna:secret@db/x', varFile: ['v.yaml'] },
    'm.yaml --state postgres://anna@db/x --var-file v.yaml',
  ],
  [
    'shop/campaign.yaml',
    { varFile: ['shop/v.yaml', 'ours.yaml'] },
    '--var-file v.yaml --var-file ../ours.yaml',
  ],
  ['../shop/campaign.yaml', { varFile: ['v.yaml'] }, "--var-file '…/v.yaml'"],
  [path.resolve('m.yaml'), { env: 'stage' }, 'm.yaml --env stage'],
  ['-', {}, '-'],
])('%s %j is on a page %j', (file, options, words) => {
  expect(targetInFolder(file, options)).toBe(words);
});

it.each([
  ['m.yaml --files s3://bucket --var a=b', 'm.yaml --var a=b'],
  ["--files 'file:///our mother'\\''s'", ''],
  ['m.yaml --env stage', 'm.yaml --env stage'],
])('%s without its storage is %j', (target, words) => {
  expect(withoutStorage(target)).toBe(words);
});
