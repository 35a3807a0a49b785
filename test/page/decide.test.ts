import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addDecisions } from '../../src/decisions/add-decisions.ts';
import { readDecisions } from '../../src/decisions/read-decisions.ts';
import {
  annotate,
  clear,
  countDecided,
  type Decision,
  type Decisions,
  judge,
  judgedAs,
  noteOn,
  startDecisions,
  type Target,
  undoLast,
} from '../../src/page/decide.ts';
import {
  countUnwritten,
  markExported,
  markWritten,
  rebase,
  unwrittenChanges,
} from '../../src/page/unwritten.ts';
import { decisionsText, readDecisionsText } from '../../src/page/decisions-file.ts';
import { mergeDecisions } from '../../src/page/merge-decisions.ts';
import { realDisk } from '../../src/util/disk.ts';
import { sheetData, sheetPost, sheetTake } from '../support/sheet-data.ts';

const AT = '2026-11-22T12:00:00.000Z';
const said = { by: '', at: AT };
const approved = { verdict: 'approved', ...said } as const;
const rejected = { verdict: 'rejected', ...said } as const;

const hero = sheetPost('hero/1');
const judgedBefore = sheetPost('hero/2', {
  takes: [
    sheetTake('old', { decision: { verdict: 'rejected', note: 'dark', by: 'anna', at: AT } }),
    sheetTake('new', { take: 2, decision: { verdict: 'approved', note: null, by: null, at: '' } }),
  ],
});
const pending = sheetPost('hero/3', { status: 'pending' });
const surplus = sheetPost('hero/4', { wanted: false });
const gone = {
  media: 'gone',
  address: 'media/old/1',
  verdict: 'rejected',
  note: null,
  by: null,
  at: AT,
} as const;
const data = sheetData([hero, judgedBefore, pending, surplus], { goneDecisions: [gone] });
const start = startDecisions(data);
const target: Target = { post: hero.address, media: 'medium of hero/1' };
const other: Target = { post: 'media/hero/2', media: 'medium of new' };

describe('deciding', () => {
  it('begins with what the report knows, of older takes too, and of what is gone', () => {
    expect([...start.all.values()]).toEqual([
      { post: 'media/old/1', media: 'gone', verdict: 'rejected', at: AT },
      { post: 'media/hero/2', media: 'medium of old', verdict: 'rejected', note: 'dark', by: 'anna', at: AT },
      { post: 'media/hero/2', media: 'medium of new', verdict: 'approved' },
    ]);
    expect(data.posts.map((post) => judgedAs(post, start))).toEqual([
      'undecided',
      'approved',
      undefined,
      'undecided',
    ]);
    expect(countDecided(data, start)).toEqual({ approved: 1, rejected: 0, undecided: 1 });
    expect(countUnwritten(start)).toBe(0);
  });

  it('changes only what it is about, and each step can be undone', () => {
    const one = judge(start, [target], { ...rejected, note: 'cut off', by: 'bo' });
    const expected = { ...target, verdict: 'rejected', note: 'cut off', by: 'bo', at: AT };
    expect([...one.all.values()].at(-1)).toEqual(expected);
    expect(one.all.size).toBe(4);
    const two = clear(judge(one, [target, other], approved), [other]);
    expect(noteOn(hero, two)).toBe('');
    expect(countUnwritten(two)).toBe(2);
    expect(two.undo.map(({ label, posts }) => [label, posts.length])).toEqual([
      ['Rejected', 1],
      // The other one was approved before.
      ['Approved', 1],
      ['Cleared', 1],
    ]);
    const back = undoLast(undoLast(undoLast(two)));
    expect(new Map(back.all)).toEqual(new Map(start.all));
    expect(countUnwritten(back)).toBe(0);
    expect(undoLast(back)).toBe(back);
  });

  it('changes nothing where nothing differs', () => {
    expect(judge(start, [other], approved)).toBe(start);
    expect(clear(start, [target])).toBe(start);
    expect(annotate(start, [target], { ...said, note: '' })).toBe(start);
  });

  it('keeps a note for the verdict that comes, and drops the reason of a verdict that is changed', () => {
    const noted = annotate(start, [target], { ...said, note: 'nice light' });
    expect([noteOn(hero, noted), countUnwritten(noted)]).toEqual(['nice light', 1]);
    expect(decisionsText(noted)).toBe(decisionsText(start));
    const decided = judge(noted, [target], approved);
    expect([noteOn(hero, decided), decided.drafts.size]).toEqual(['nice light', 0]);
    const again = annotate(decided, [target], { ...said, note: '' });
    expect(noteOn(hero, again)).toBe('');
    expect(noteOn(hero, judge(decided, [target], rejected))).toBe('');
    expect(noteOn(hero, undoLast(decided))).toBe('nice light');
  });

  it('hands over what is not written, and keeps what was decided meanwhile', () => {
    const one = judge(start, [target], approved);
    const changes = unwrittenChanges(clear(one, [other]));
    expect(changes.map(({ media, decision }) => [media, decision?.verdict])).toEqual([
      ['medium of new', undefined],
      ['medium of hero/1', 'approved'],
    ]);
    const later = judge(clear(one, [other]), [other], rejected);
    const written = markWritten(later, changes);
    expect(unwrittenChanges(written).map(({ decision }) => decision?.verdict)).toEqual(['rejected']);
    expect(countUnwritten(markExported(later))).toBe(0);
  });

  it('keeps what is not written when the file changes', () => {
    const mine = judge(start, [target], rejected);
    const takes = [sheetTake('new', { decision: { verdict: 'rejected', note: 'x', by: null, at: AT } })];
    const next = rebase(mine, sheetData([hero, { ...judgedBefore, takes }]));
    expect([...next.all.values()].map(({ media, verdict }) => [media, verdict])).toEqual([
      ['medium of new', 'rejected'],
      ['medium of hero/1', 'rejected'],
    ]);
    expect(countUnwritten(next)).toBe(1);
    // Now the file has it.
    const decision = { verdict: 'rejected', note: null, by: null, at: AT } as const;
    const saved = rebase(next, sheetData([{ ...hero, takes: [sheetTake('hero/1', { decision })] }]));
    expect([saved.all.size, countUnwritten(saved)]).toEqual([1, 0]);
  });
});

describe('a file that is opened', () => {
  const known = judge(start, [target], { ...rejected, note: 'mine' });
  const entry = (changes: Partial<Decision>): Decision => ({ ...target, verdict: 'approved', ...changes });

  it.each<[string, Decision, number, Decision['verdict']]>([
    ['later than what was decided here', entry({ at: '2026-11-23T00:00:00Z' }), 1, 'approved'],
    ['earlier', entry({ at: '2026-11-21T00:00:00Z' }), 0, 'rejected'],
    ['without a time', entry({}), 0, 'rejected'],
    ['without a time, about what the report was made with', { ...other, verdict: 'rejected' }, 1, 'rejected'],
  ])('wins or not: %s', (_, one, replaced, verdict) => {
    const merged = mergeDecisions(known, [one]);
    expect(merged.replaced).toBe(replaced);
    expect(merged.decisions.all.get(one.media)?.verdict).toBe(verdict);
    expect(merged.decisions.undo.length).toBe(known.undo.length + replaced);
    if (replaced) expect(new Map(undoLast(merged.decisions).all)).toEqual(new Map(known.all));
  });

  it('keeps what is about other posts, counts the last of several, and a verdict cleared here stays cleared', () => {
    const cleared = clear(start, [other]);
    const strange = { post: 'media/else/1', media: 'elsewhere', verdict: 'rejected' } as const;
    const file = [
      strange,
      { ...strange, verdict: 'approved' } as const,
      { ...other, verdict: 'approved' } as const,
    ];
    const merged = mergeDecisions(cleared, file);
    expect(merged).toMatchObject({ added: 1, replaced: 0, older: 1, same: 0 });
    expect([...merged.decisions.all.keys()]).toEqual(['gone', 'medium of old', 'elsewhere']);
    // The clearing, and what only the report had: neither is in that file.
    expect(countUnwritten(merged.decisions)).toBe(3);
  });

  it('is known where it says what is here', () => {
    const read = readDecisionsText(decisionsText(known));
    const merged = mergeDecisions(known, read.ok ? read.value : []);
    expect(merged).toMatchObject({ added: 0, replaced: 0, older: 0, same: 4 });
    expect(countUnwritten(merged.decisions)).toBe(0);
    expect(merged.decisions.undo).toBe(known.undo);
  });

  it.each<[string, string]>([
    ['version: 1\ndecisions: [', 'This is no YAML: '],
    ['hello', 'This is no file of decisions'],
    ['', 'This is no file of decisions'],
    ['version: 2\ndecisions: []', 'This is no file of decisions'],
    ['version: 1\ndecisions: [{ post: a, media: b, verdict: maybe }]', 'Entry 1 is no decision'],
    ['version: 1\ndecisions: [{ post: a, media: 7, verdict: approved }]', 'Entry 1 is no decision'],
    ['version: 1\ndecisions: [{ post: a, media: b, verdict: approved, extra: c }]', 'Entry 1 is no decision'],
    ['version: 1\ndecisions: [null]', 'Entry 1 is no decision'],
    [`a: &a [x]\nb: &b [${'*a,'.repeat(99)}]\nc: [${'*b,'.repeat(99)}]`, 'This file cannot be read'],
  ])('%j says what is wrong with it', (text, words) => {
    const read = readDecisionsText(text);
    expect(read.ok ? '' : read.error).toContain(words);
  });
});

describe('the file of decisions', () => {
  it('has what was written before in its place, then what is new', () => {
    const changed = judge(judge(start, [target], rejected), [other], { ...rejected, note: 'too dark: "x"' });
    expect(decisionsText(changed)).toBe(
      `# What was decided about finished posts, newest last. \`campaign approve\`, \`reject\` and \`decide\` write it, and you may.
version: 1
decisions:
  - { post: "media/old/1", media: "gone", verdict: rejected, at: "${AT}" }
  - { post: "media/hero/2", media: "medium of old", verdict: rejected, note: "dark", by: "anna", at: "${AT}" }
  - { post: "media/hero/1", media: "medium of hero/1", verdict: rejected, at: "${AT}" }
  - { post: "media/hero/2", media: "medium of new", verdict: rejected, note: "too dark: \\"x\\"", at: "${AT}" }
`,
    );
    expect(decisionsText(startDecisions(sheetData([hero])))).toContain('\ndecisions: []\n');
  });

  it('is read back by the page and by campaign as it was meant, whatever stands in a note', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'campaign-page-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = join(folder, 'campaign.decisions.yaml');
    const hostile = [
      '<script>alert(1)</script>',
      '"\'`${x} #: - {}[]',
      'a\u0000b\u0007\u007f\u0085\u2028\u2029\ufeff',
      '\u202eback',
      '\ud800 alone',
      'x\udc00',
      '😀 \u{e0041}',
      'word '.repeat(2_000),
      '&a *a !!js %',
      '\r\n\t\\n',
      '~',
      'null',
      '2026-11-22',
    ];
    const text = fc.string({ unit: 'binary', maxLength: 40 });
    const notes = [...hostile, ...fc.sample(text, 25)];
    const all = new Map(
      notes.map((note, index): [string, Decision] => [
        `${index}`,
        {
          post: 'media/hero/1',
          media: `${index}`,
          verdict: 'rejected',
          ...(note && { note }),
          by: note,
          at: AT,
        },
      ]),
    );
    const written = decisionsText({ all, written: new Map() } satisfies Pick<Decisions, 'all' | 'written'>);
    expect(/[\p{Cf}\p{Cs}]|(?!\n)\p{Cc}/u.test(written)).toBe(false);
    expect(readDecisionsText(written)).toEqual({ ok: true, value: [...all.values()] });
    for (const each of [written, addDecisions(written, [])]) {
      await writeFile(file, each);
      const read = readDecisions(realDisk, file);
      const verdicts = read.ok ? [...read.value.verdicts.values()] : [];
      expect(verdicts.map(({ note = '' }) => note)).toEqual(notes);
    }
  });
});
