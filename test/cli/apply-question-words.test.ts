import { expect, it } from 'vitest';
import type { Payable } from '../../src/app/payable.ts';
import { applyQuestion } from '../../src/cli/apply-question.ts';

function shown(posts: Pick<Payable, 'first' | 'finished' | 'all'> & Partial<Payable>): string {
  const known = { deletions: 0, keepable: posts.finished, heldUp: 0, isFree: false };
  const { what, choices } = applyQuestion({ ...known, ...posts });
  const list = (texts: readonly string[]) => texts.map((text) => `  ${text}`).join('\n');
  return [
    what,
    list(choices.map(({ keys, does }) => `${keys.join(' ')}: ${does}`)),
    list(choices.map(({ explained }) => explained)),
  ].join('\n');
}

const posts = (number: number, cost?: string) => ({ posts: number, cost });

it('asks yes or no where only first requests are paid', () => {
  expect(
    shown({ first: posts(1), finished: 0, all: posts(1) }),
  ).toBe(`1 new post would be requested, and paid.
  y yes: request 1 new post
  n no q quit: send nothing
  Everything in the plan is done. 1 post is requested and paid.
  No request is sent, and the command ends with 5; q does the same.`);
});

it('says of finished posts what each answer does and pays', () => {
  expect(
    shown({ first: posts(0), finished: 2, all: posts(2) }),
  ).toBe(`2 finished posts would be requested again, and paid again.
  a apply: apply: request 2 finished posts again
  k keep: keep: keep the present files and accept the edit for good
  l leave: leave: leave 2 finished posts as they are for now
  n no q quit: send nothing
  Everything in the plan is done. 2 posts are requested and paid. The present files stay, as <name>.take<n>.
  2 finished posts count as made from the edited manifest: no run asks again. The rest of the plan is done. Nothing is paid.
  The rest of the plan is done, and this run ends with 5; the next one asks again. Nothing is paid.
  No request is sent, and the command ends with 5; q does the same.`);
});

it('asks about new and finished posts in one question', () => {
  expect(
    shown({ first: posts(2), finished: 1, all: posts(3) }),
  ).toBe(`2 new posts would be requested, and 1 finished post again; each is paid.
  a apply: apply: request 2 new posts; request 1 finished post again
  k keep: keep: request 2 new posts; keep the present files and accept the edit for good
  l leave: leave: request 2 new posts; leave 1 finished post as it is for now
  n no q quit: send nothing
  Everything in the plan is done. 3 posts are requested and paid. The present files stay, as <name>.take<n>.
  1 finished post counts as made from the edited manifest: no run asks again. The rest of the plan is done. 2 posts are requested and paid.
  The rest of the plan is done, and this run ends with 5; the next one asks again. 2 posts are requested and paid.
  No request is sent, and the command ends with 5; q does the same.`);
});

it('says what it costs, and leaves out what the budget does not allow', () => {
  expect(shown({ first: posts(8, '1.40 EUR'), finished: 0, all: posts(8, '1.40 EUR') })).toContain(
    '8 new posts would be requested, and paid: 1.40 EUR.\n  y yes: request 8 new posts (1.40 EUR)\n',
  );
  const both = shown({ first: posts(1, '0.10 EUR'), finished: 2, all: posts(3, '0.30 EUR') });
  expect(both).toContain(
    '1 new post would be requested, and 2 finished posts again; each is paid: 0.30 EUR.\n',
  );
  expect(both).toContain(
    'a apply: apply: request 1 new post (0.10 EUR); request 2 finished posts again (0.30 EUR in all)\n',
  );
  expect(both).toContain('Everything in the plan is done. 3 posts are requested and paid (0.30 EUR).');
  const refused = shown({ first: posts(0), finished: 2, all: undefined });
  expect(refused).toContain(
    '2 finished posts would be requested again, and paid again. The budget does not allow that.\n  k keep:',
  );
});

it('asks about deletions in the same question', () => {
  expect(shown({ first: posts(0), finished: 0, all: posts(0), deletions: 3 })).toBe(
    `3 products, concepts and requests would be deleted at the service, a request with its posts.
  a apply: apply: delete 3 at the service
  l leave: leave: delete nothing for now
  n no q quit: send nothing
  Everything in the plan is done. Nothing is paid. What is deleted cannot be brought back; downloaded files stay.
  The rest of the plan is done, and this run ends with 5; the next one asks again. Nothing is paid.
  No request is sent, and the command ends with 5; q does the same.`,
  );
  const all = { first: posts(2, '0.20 EUR'), finished: 1, all: posts(3, '0.30 EUR'), deletions: 1 };
  expect(
    shown({ ...all, finished: 0 })
      .split('\n')
      .slice(0, 3),
  ).toEqual([
    '2 new posts would be requested, and paid: 0.20 EUR. 1 product, concept or request would be deleted at the service, a request with its posts.',
    '  a apply: apply: request 2 new posts (0.20 EUR); delete 1 at the service',
    '  l leave: leave: request 2 new posts (0.20 EUR); delete nothing for now',
  ]);
  expect(shown(all).split('\n').slice(0, 4)).toEqual([
    '2 new posts would be requested, and 1 finished post again; each is paid: 0.30 EUR. 1 product, concept or request would be deleted at the service, a request with its posts.',
    '  a apply: apply: request 2 new posts (0.20 EUR); request 1 finished post again (0.30 EUR in all); delete 1 at the service',
    '  k keep: keep: request 2 new posts (0.20 EUR); keep the present files and accept the edit for good; delete 1 at the service',
    '  l leave: leave: request 2 new posts (0.20 EUR); leave 1 finished post as it is for now; delete nothing',
  ]);
});

it('offers to keep what is there only, and calls what is held up no finished post', () => {
  expect(
    shown({ first: posts(0), finished: 0, heldUp: 1, all: posts(1) }),
  ).toBe(`1 new post that may be an earlier one would be requested, and paid.
  a apply: apply: request 1 new post that may be an earlier one
  l leave: leave: do not request 1 new post that may be an earlier one for now
  n no q quit: send nothing
  Everything in the plan is done. 1 post is requested and paid.
  The rest of the plan is done, and this run ends with 5; the next one asks again. Nothing is paid.
  No request is sent, and the command ends with 5; q does the same.`);
  const both = shown({ first: posts(0), finished: 1, heldUp: 2, all: posts(3) });
  expect(both).toContain(
    '2 new posts that may be earlier ones would be requested, and 1 finished post again; each is paid.\n',
  );
  expect(both).toContain('request 2 new posts that may be earlier ones; request 1 finished post again\n');
  expect(both).toContain(
    'do not request 2 new posts that may be earlier ones; leave 1 finished post as it is for now\n',
  );
  expect(both).toContain(
    '1 finished post counts as made from the edited manifest: no run asks again. The rest of the plan is done, and the next run asks about what is held up. Nothing is paid.',
  );
});

it('calls posts new only where none of them takes the place of another', () => {
  const first = { ...posts(3), replaced: 1 };
  expect(shown({ first, finished: 1, all: posts(4) })).toContain(
    '3 posts would be requested, and 1 finished post again; each is paid.\n  a apply: apply: request 3 posts; request',
  );
});

it('says of the emulator, where nothing is paid, what the prices come to', () => {
  const texts = [
    shown({ first: posts(0), finished: 2, all: posts(2, '0.20 EUR'), isFree: true }),
    shown({ first: posts(1), finished: 1, all: posts(2), isFree: true }),
    shown({ first: posts(1), finished: 0, all: posts(1), deletions: 1, isFree: true }),
  ];
  const paid = texts.join('\n').replaceAll('Nothing is paid', '');
  expect(paid).not.toMatch(/pa(id|y)/);
  expect(paid).toContain(
    '2 finished posts would be requested again (0.20 EUR by the prices of the manifest).\n',
  );
  expect(paid).toContain('\n1 new post would be requested, and 1 finished post again.\n');
  expect(paid).toContain('1 post is requested.');
});
