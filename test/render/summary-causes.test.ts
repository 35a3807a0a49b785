import { expect, it } from 'vitest';
import type { Failure } from '../../src/model/failure.ts';
import { summaryCauses } from '../../src/render/summary-causes.ts';
import { PLAIN } from '../support/plain-style.ts';

const failed = (n: number, detail: string, more: Partial<Failure> = {}): Failure => ({
  address: `media/grid/${n}@1`,
  end: 'failed',
  problem: { summary: 'The generation failed', detail },
  source: String(n + 10),
  ...more,
});

const text = (failures: readonly Failure[]) =>
  summaryCauses(
    failures,
    {
      target: 'm.yaml --env stage',
      quote: (source) => ({ position: { file: 'm.yaml', line: Number(source), column: 9, length: 3 } }),
    },
    { columns: undefined, style: PLAIN },
  );

it('the most frequent cause is first; its first nodes stand with their lines, the others are counted', () => {
  const many = Array.from({ length: 12 }, (_, n) => failed(n, 'Status failed: too dark'));
  expect(
    text([failed(20, 'Status failed: too bright'), ...many]),
  ).toBe(`error: The generation failed [media-failed]
  at m.yaml:10:9
  too dark
  media/grid/0, media/grid/1 at m.yaml:11, media/grid/2 at m.yaml:12 and 9 more
  It may have been made: for 30 days every run rechecks it. --retry-failed rechecks it too, and then requests another one; \`campaign resolve m.yaml --env stage media/grid/0 --skip\` gives it up.

error: The generation failed [media-failed]
  at m.yaml:30:9
  too bright
  media/grid/20
  It may have been made: for 30 days every run rechecks it. --retry-failed rechecks it too, and then requests another one; \`campaign resolve m.yaml --env stage media/grid/20 --skip\` gives it up.
`);
});

it('details that name only another node or another id are one cause', () => {
  const id = (n: number) => `0f0e0d0c-0b0a-4908-8706-0504030201${10 + n}`;
  const lines = text([0, 1, 2, 3, 4].map((n) => failed(n, `Post ${id(n)} of media/grid/${n} is too dark`)));
  expect(lines.match(/^error: /gm)).toHaveLength(1);
  expect(lines).toContain('media/grid/2 at m.yaml:12 and 2 more\n');
});

it('ten thousand causes have thirty lines, and the command that shows the others', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => failed(n, `Seed ${n}`));
  const lines = text([...many, failed(10_000, 'Seed 7000')]).split('\n');
  expect(lines.length).toBe(31);
  expect(lines.slice(0, 2)).toEqual([
    '  ✗ media/grid/7000 and 1 more failed: Seed 7000  m.yaml:7010',
    '  ✗ media/grid/0 failed: Seed 0  m.yaml:10',
  ]);
  expect(lines[29]).toBe(
    '  … and 9971 more causes (9971): `campaign status m.yaml --env stage --all` shows them',
  );
});

it('of refusals nothing is kept that a command could show', () => {
  const refused = Array.from({ length: 50 }, (_, n) =>
    failed(n, `No ${n}`, { address: `product/p${n}`, end: 'rejected' }),
  );
  expect(text(refused)).toContain(
    '\n  … and 21 more causes (21): the next run tries them again, and says what is left\n',
  );
});

it('says nothing where nothing failed', () => {
  expect(text([])).toBe('');
});
