import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whyNotOwn } from '../../src/files/own-place.ts';

const outer = realpathSync(mkdtempSync(join(tmpdir(), 'campaign-own-')));
const folder = join(outer, 'campaign');
const disk = join(outer, 'disk');

/** `out` is on another disk, as the manifest says; `linked` and `hooks` are links of somebody else. */
beforeAll(() => {
  for (const each of [folder, disk, join(outer, 'home'), join(folder, '.git/hooks'), join(folder, 'old')])
    mkdirSync(each, { recursive: true });
  symlinkSync(disk, join(folder, 'out'));
  symlinkSync(join(outer, 'home'), join(folder, 'linked'));
  symlinkSync('.git/hooks', join(folder, 'hooks'));
  symlinkSync('old', join(folder, 'former'));
});
afterAll(() => rmSync(outer, { recursive: true, force: true }));

describe('a path that a state names', () => {
  it.each([
    ['out/hero/1.png', 'out', undefined],
    ['older/hero/1.png', 'out', undefined],
    ['former/1.png', 'out', undefined],
    ['hero/1.png', '.', undefined],
    ['.results/hero/1.png', '.results', undefined],
    ['../common/hero/1.png', '../common', undefined],
    ['/mnt/large/hero/1.png', '/mnt/large/', undefined],
    ['out/../../etc/passwd', 'out', 'outside'],
    ['../hero/1.png', 'out', 'outside'],
    ['..', 'out', 'outside'],
    ['.', '.', 'outside'],
    ['', 'out', 'outside'],
    ['/etc/cron.d/x', 'out', 'outside'],
    ['/mnt/larger/hero/1.png', '/mnt/large', 'outside'],
    ['../common/../hero/1.png', '../common', 'outside'],
    ['linked/1.png', 'out', 'outside'],
    ['linked/new/1.png', 'out', 'outside'],
    ['.env', 'out', 'hidden'],
    ['m.default.state.jsonl', 'out', 'hidden'],
    ['out/index.json', 'out', 'hidden'],
    ['.git/config', 'out', 'hidden'],
    ['.GIT/config', 'out', 'hidden'],
    ['hooks/pre-commit', 'out', 'hidden'],
    ['old/.campaign/x', 'out', 'hidden'],
  ])('%s, with results in %s: %s', (file, dir, expected) => {
    expect(whyNotOwn({ folder, dir, outside: 'refuse' }, file)).toBe(expected);
  });

  it.each([
    ['../hero/1.png', undefined],
    ['linked/1.png', undefined],
    ['../home/.local/1.png', undefined],
    ['../home/.git/config', 'hidden'],
    ['../home/.Campaign./x', 'hidden'],
    ['hooks/pre-commit', 'hidden'],
  ])('%s, where somebody has allowed files outside: %s', (file, expected) => {
    expect(whyNotOwn({ folder, dir: 'out', outside: 'allow' }, file)).toBe(expected);
  });
});
