/** What the live page writes to the file of decisions. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { setVerdicts, type WantedVerdict } from '../../src/app/set-verdicts.ts';
import { addDecisions } from '../../src/decisions/add-decisions.ts';
import { readDecisions } from '../../src/decisions/read-decisions.ts';
import { removeDecisions } from '../../src/decisions/remove-decisions.ts';
import { realClock } from '../../src/util/clock.ts';
import { realDisk } from '../../src/util/disk.ts';

const folder = mkdtempSync(join(tmpdir(), 'campaign-verdicts-'));
const decisionsFile = join(folder, 'm.stage.decisions.yaml');
afterAll(() => rmSync(folder, { recursive: true }));

const now = Date.parse('2026-11-22T10:00:00Z');
const runtime = { clock: { ...realClock, now: () => now }, env: { USER: 'anna' }, disk: realDisk };
const AT = '2026-11-22T10:00:00.000Z';
const set = (...wanted: WantedVerdict[]) =>
  setVerdicts(runtime, { decisionsFile, workFolder: join(folder, '.campaign') }, wanted);
const about = (media: string) => ({ address: `media/hero/${media}`, media });
const text = () => readFileSync(decisionsFile, 'utf8');

it('adds what is new, takes back what is undecided, and keeps every comment', async () => {
  writeFileSync(
    decisionsFile,
    `# Ours.
version: 1
decisions:
  # Seen with the client.
  - { post: media/hero/a, media: a, verdict: approved } # Anna
  - { post: media/hero/b, media: b, verdict: rejected, note: too dark }
  # The last one.
  - { post: media/hero/a, media: a, verdict: rejected }
`,
  );
  // Only what differs is written.
  const before = text();
  expect(await set({ ...about('b'), verdict: 'rejected', note: 'too dark' })).toEqual({
    ok: true,
    value: [],
  });
  expect(text()).toBe(before);
  expect(
    await set(
      { ...about('a'), verdict: 'undecided' },
      { ...about('c'), verdict: 'approved', seen: 'undecided' },
    ),
  ).toEqual({ ok: true, value: [] });
  expect(text()).toBe(`# Ours.
version: 1
decisions:
  # Seen with the client.
  - { post: media/hero/b, media: b, verdict: rejected, note: too dark }
  - { post: media/hero/c, media: c, verdict: approved, by: anna, at: ${AT} }
  # The last one.
`);
  expect(await set({ ...about('b'), verdict: 'undecided' }, { ...about('c'), verdict: 'undecided' })).toEqual(
    { ok: true, value: [] },
  );
  expect(readDecisions(realDisk, decisionsFile)).toMatchObject({ ok: true, value: { verdicts: new Map() } });
  for (const comment of ['# Ours.', '# Seen with the client.', '# The last one.'])
    expect(text()).toContain(comment);
  expect(await set({ ...about('a'), verdict: 'approved' })).toEqual({ ok: true, value: [] });
  expect(readDecisions(realDisk, decisionsFile)).toMatchObject({
    ok: true,
    value: { verdicts: new Map([['a', { verdict: 'approved' }]]) },
  });
});

it('overwrites nothing that somebody else has decided, and writes nothing to a file that is broken', async () => {
  writeFileSync(decisionsFile, 'version: 1\ndecisions:\n  - { post: p, media: a, verdict: rejected }\n');
  const before = text();
  const other = { ...about('a'), verdict: 'approved', seen: 'undecided' } as const;
  expect(await set(other)).toEqual({ ok: true, value: [other] });
  expect(text()).toBe(before);
  expect(await set(other, { ...about('b'), verdict: 'approved', seen: 'undecided' })).toEqual({
    ok: true,
    value: [other],
  });
  expect(text()).toBe(
    `${before}  - { post: media/hero/b, media: b, verdict: approved, by: anna, at: ${AT} }\n`,
  );
  // The answer to the first time was lost.
  expect(await set({ ...about('a'), verdict: 'rejected', seen: 'undecided' })).toEqual({
    ok: true,
    value: [],
  });
  for (const broken of [
    'version: 1\ndecisions: [\n',
    '<<<<<<< HEAD\nversion: 1\n',
    'version: 1\ndecisions: []\nmore: 1\n',
  ]) {
    writeFileSync(decisionsFile, broken);
    const answer = await set({ ...about('a'), verdict: 'approved' });
    expect(answer).toMatchObject({
      ok: false,
      error: { exit: 65, problems: [{ position: { file: decisionsFile } }] },
    });
    expect(text()).toBe(broken);
  }
  rmSync(decisionsFile);
  expect(await set({ ...about('a'), verdict: 'undecided' })).toEqual({ ok: true, value: [] });
  mkdirSync(join(folder, 'other'));
  symlinkSync(join(folder, 'other'), decisionsFile);
  expect(await set({ ...about('a'), verdict: 'approved' })).toMatchObject({
    ok: false,
    error: { exit: expect.any(Number) as number },
  });
  rmSync(decisionsFile);
});

it('keeps every character of a note', () => {
  const notes = [
    '# "x": - |\n > yes',
    "it's",
    '~',
    'null',
    '0x1F',
    '\t',
    '\r\n',
    '<script>',
    '\0\u0085\u2028\ufeff\u202e',
    '{a: b}',
    ' x ',
  ];
  for (const note of [...notes, notes.join(''), 'ä😀'.repeat(2_000)]) {
    const entry = (media: string) => ({ post: 'media/hero/a', media, verdict: 'rejected', note }) as const;
    const both = addDecisions(undefined, [entry('a'), entry('b')]);
    writeFileSync(decisionsFile, removeDecisions(both, new Set(['a'])));
    const found = readDecisions(realDisk, decisionsFile);
    expect(found.ok ? found.value.verdicts.get('b')?.note : found.error).toBe(note);
  }
});
