import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addDecisions } from '../../src/decisions/add-decisions.ts';
import { readDecisions } from '../../src/decisions/read-decisions.ts';
import { verdictAbout } from '../../src/model/verdict.ts';
import { realDisk } from '../../src/util/disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'campaign-decisions-'));
const file = join(folder, 'm.stage.decisions.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string) {
  writeFileSync(file, text);
  return readDecisions(realDisk, file);
}

function problems(text: string): string[] {
  const found = read(text);
  if (found.ok) return [];
  return found.error.map(({ code, position }) => `${position?.line}:${position?.column} ${code}`);
}

const AT = '2026-11-22T10:00:00Z';

describe('the file of decisions', () => {
  it('says what was decided last about each medium, with its place', () => {
    const found = read(`version: 1
decisions:
  - { post: media/hero/1, media: one, verdict: rejected, note: too dark, by: anna, at: ${AT} }
  - { post: media/hero/2, media: two, verdict: rejected }
  # Seen on a better screen.
  - { post: media/hero/1, media: one, verdict: approved }
`);
    if (!found.ok) throw new Error(JSON.stringify(found.error));
    expect([...found.value.verdicts]).toEqual([
      ['one', { post: 'media/hero/1', verdict: 'approved', source: 'm.stage.decisions.yaml#/decisions/2' }],
      ['two', { post: 'media/hero/2', verdict: 'rejected', source: 'm.stage.decisions.yaml#/decisions/1' }],
    ]);
    expect(found.value.quote('m.stage.decisions.yaml#/decisions/2')?.position).toMatchObject({
      file,
      line: 6,
    });
    expect(found.value.quote('#/posts/hero')).toBeUndefined();
  });

  it('counts what was decided last by its time, in whatever order a merge has put the lines', () => {
    const found = read(`version: 1
decisions:
  - { post: media/hero/1, media: one, verdict: approved, at: 2026-11-22T11:00:00Z }
  - { post: media/hero/1, media: one, verdict: rejected, at: ${AT} }
`);
    expect(found.ok && verdictAbout('one', found.value.verdicts)?.verdict).toBe('approved');
  });

  it('knows a medium by its UUID in capitals, too', () => {
    const id = 'ABCDEF01-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
    const found = read(
      `version: 1\ndecisions:\n  - { post: media/hero/1, media: ${id}, verdict: approved }\n`,
    );
    const verdicts = found.ok ? found.value.verdicts : new Map();
    expect(verdictAbout(id.toLowerCase(), verdicts)?.verdict).toBe('approved');
    expect(verdictAbout('another', verdicts)).toBeUndefined();
  });

  it('is no decision where it is not there', () => {
    const found = readDecisions(realDisk, join(folder, 'none.decisions.yaml'));
    expect(found.ok && found.value.verdicts.size).toBe(0);
  });

  it('is refused at the line of what is wrong in it', () => {
    expect(problems('version: 2\ndecisions: []\n')).toEqual(['1:10 unsupported-version']);
    expect(problems('version: 1\n')).toEqual(['1:1 missing-key']);
    expect(
      problems('version: 1\ndecisions:\n  - { post: media/a/1, media: x, verdict: fine, when: now }\n'),
    ).toEqual(['3:43 invalid-value', '3:49 unknown-key']);
    expect(problems('version: 1\n<<<<<<< HEAD\ndecisions: []\n=======\n')).toEqual(['2:1 merge-conflict']);
    expect(problems('[1]')).toEqual(['1:1 wrong-type']);
    symlinkSync(folder, join(folder, 'linked.decisions.yaml'));
    expect(readDecisions(realDisk, join(folder, 'linked.decisions.yaml')).ok).toBe(false);
  });
});

describe('adding to it', () => {
  const first = { post: 'media/hero/1', media: 'one', verdict: 'approved', by: 'anna', at: AT } as const;
  const second = { post: 'media/hero/2', media: 'two', verdict: 'rejected', note: 'a: "b" #c' } as const;

  it('counts after what was written by a clock that is ahead', () => {
    const ahead = { ...first, at: '2026-11-23T10:00:00Z' };
    const found = read(addDecisions(addDecisions(undefined, [ahead]), [{ ...first, verdict: 'rejected' }]));
    expect(found.ok && verdictAbout('one', found.value.verdicts)).toMatchObject({
      verdict: 'rejected',
      at: ahead.at,
    });
  });

  it('makes a new one', () => {
    expect(
      addDecisions(undefined, [first, second]),
    ).toBe(`# What was decided about finished posts, newest last. \`campaign approve\`, \`reject\` and \`decide\` write it, and you may.
version: 1
decisions:
  - { post: media/hero/1, media: one, verdict: approved, by: anna, at: ${AT} }
  - { post: media/hero/2, media: two, verdict: rejected, note: 'a: "b" #c' }
`);
  });

  it('refuses a file that was changed meanwhile into something else', () => {
    expect(() => addDecisions('version: 1\n', [first])).toThrow('was changed meanwhile');
  });

  it('keeps the comments of the one that is there, and is read again', () => {
    const text = addDecisions(
      '# Ours.\nversion: 1\ndecisions: # newest last\n  - {post: a, media: m, verdict: approved} # Anna\n',
      [second],
    );
    expect(text).toBe(`# Ours.
version: 1
decisions:
  # newest last
  - { post: a, media: m, verdict: approved } # Anna
  - { post: media/hero/2, media: two, verdict: rejected, note: 'a: "b" #c' }
`);
    const found = read(text);
    expect(found.ok && found.value.verdicts.get('two')?.note).toBe('a: "b" #c');
  });
});
