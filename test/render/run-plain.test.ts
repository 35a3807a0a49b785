import { expect, it } from 'vitest';
import { type Plan, type PlannedNode, PlannedNodes } from '../../src/model/plan.ts';
import type { RunEvent } from '../../src/model/run-event.ts';
import { createLineRenderer } from '../../src/render/run-plain.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { PLAIN } from '../support/plain-style.ts';
import * as nodes from '../support/planned-nodes.ts';

type Finished = Extract<RunEvent, { type: 'node-finished' }>;
type Kind = Finished['kind'];

const kindOf = (address: string) => address.split('/')[0] as Kind;
const started = (address: string): RunEvent => ({
  type: 'node-started',
  address,
  kind: kindOf(address),
  attempt: 1,
});
const finished = (address: string, more: Partial<Finished> = {}): RunEvent => ({
  type: 'node-finished',
  address,
  kind: kindOf(address),
  action: 'create',
  end: 'done',
  ms: 400,
  ...more,
});
const PLANNED: RunEvent = {
  type: 'planned',
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  move: 0,
  unchanged: 0,
  new_posts: 0,
  work: 0,
};

function play(...listed: readonly PlannedNode[]) {
  const clock = createManualClock();
  let written = '';
  const plan = { nodes: new PlannedNodes(listed) } as unknown as Plan;
  const renderer = createLineRenderer({
    write(text) {
      written += text;
    },
    style: PLAIN,
    clock,
    plan,
    mediaInFlight: 200,
  });
  const show = (...events: readonly RunEvent[]) => events.forEach((event) => renderer.show(event));
  show(PLANNED);
  return {
    clock,
    show,
    close: () => renderer.close(),
    /** What was written since somebody looked last. */
    text(): string {
      const text = written;
      written = '';
      return text;
    },
  };
}

const names = (number: number) => Array.from({ length: number }, (_, n) => `n${n + 1}`);
const posts = (number: number) =>
  names(number).flatMap((item) => [nodes.mediaNode('hero', item), nodes.downloadNode('hero', item)]);

it('numbers posts as the live block does, tells each once, and folds uploads and requests where they are many', () => {
  const run = play(
    ...names(12).map((name) => nodes.uploadNode(name)),
    nodes.productNode('mug'),
    ...posts(100),
  );
  const [last = '', ...uploads] = names(12);
  run.show(...uploads.map((name) => finished(`upload/${name}`)), finished('product/mug'));
  expect(run.text()).toBe('  ✓ product/mug created (0.4 s)\n');
  run.show(finished(`upload/${last}`, { ms: 12_000 }));
  run.show(finished('media/hero/n1@1'), finished('download/hero/n1@1', { files: ['out/1.png'] }));
  const problem = { summary: 'content policy' };
  const place = { file: 'm.yaml', line: 31 } as const;
  run.show(finished('media/hero/n2@1', { end: 'failed', problem, ...place }));
  run.show(finished('media/hero/n3@1', { end: 'failed', problem, ...place }));
  run.show(finished('media/hero/n4@1'));
  run.show(finished('download/hero/n4@1', { end: 'failed', problem: { summary: 'No picture' } }));
  run.show(finished('download/hero/old@1', { files: ['out/old.png'] }));
  run.close();
  expect(run.text()).toBe(`  ✓ upload/* 12 of 12 uploaded (12 s)
[  1/100] ✓ media/hero/n1 generated (0.4 s)
[  2/100] ✗ media/hero/n2 failed: content policy (0.4 s)  m.yaml:31
[  3/100] ✗ media/hero/n3 failed (0.4 s)  m.yaml:31
[  4/100] ✓ media/hero/n4 generated (0.4 s)
  ✗ download/hero/n4 failed: No picture (0.4 s)
  ✓ media/hero/old downloaded out/old.png (0.4 s)
`);
});

it('says every 30 s what is waited for, since when and how many, unless it has said something else', async () => {
  const run = play(nodes.uploadNode('a'), nodes.requestNode('hero', { posts: 0 }), ...posts(100));
  await run.clock.advance(29_999);
  run.show(finished('upload/a'), started('media-config/hero@1'));
  expect(run.text()).toBe('  ✓ upload/a uploaded (0.4 s)\n');
  await run.clock.advance(30_000);
  expect(run.text()).toBe('[  0/100] … 1:00: 1 requesting; requests 1/2\n');
  run.show(finished('media-config/hero@1'));
  for (const name of names(100)) run.show(started(`media/hero/${name}@1`));
  await run.clock.advance(60_000);
  run.show(finished('media/hero/n1@1', { ms: 60_000 }), started('download/hero/n1@1'));
  await run.clock.advance(30_000);
  run.close();
  await run.clock.advance(60_000);
  expect(run.text()).toBe(`  … media-config/hero@1 requested (0.4 s)
[  0/100] … 1:30: 100 posts generating, the oldest for 0:30 (media/hero/n1)
[  0/100] … 2:00: 100 posts generating, the oldest for 1:00 (media/hero/n1)
[  1/100] ✓ media/hero/n1 generated (1 min 0 s)
[  1/100] … 2:30: 99 posts generating, the oldest for 1:30 (media/hero/n2), 1 downloading; files 0/1
`);
  expect(run.clock.pending).toBe(0);
});

it('tells throttling and an outage when they begin and end, and a cause of waiting once', async () => {
  const run = play(...posts(2));
  const throttled = (atOnce: number): RunEvent => ({
    type: 'load-changed',
    state: 'throttled',
    at_once: atOnce,
    of: 8,
  });
  const normal: RunEvent = { type: 'load-changed', state: 'normal' };
  const waiting = (n: number, summary: string): RunEvent => ({
    type: 'node-waiting',
    address: `media/hero/n${n}@1`,
    kind: 'media',
    why: 'retry',
    ms: 2_000,
    problem: { summary },
  });
  run.show(throttled(5), throttled(3));
  for (let n = 0; n < 50; n += 1) run.show(waiting(1, 'Slow down'), waiting(2, 'Failed'));
  await run.clock.advance(20_000);
  run.show(normal);
  for (let n = 0; n < 50; n += 1) {
    run.show(throttled(4), normal);
    await run.clock.advance(500);
  }
  run.show({ type: 'load-changed', state: 'outage' });
  await run.clock.advance(30_000);
  run.show(normal);
  run.close();
  expect(run.text()).toBe(`  ! throttled: 5 at once, not 8
  … media/hero/n1: Slow down; next try in 2.0 s
  … media/hero/n2: Failed; next try in 2.0 s
  ✓ no longer throttled after 0:20
  ! the service does not answer: it is asked now and then
[0/2] … 1:15: nothing is under way; no answer for 0:30: asked now and then
  ✓ the service answers again after 0:30
`);
});

it('names five of those that end without a result, and counts the others', () => {
  const run = play(...posts(9));
  for (const name of names(9)) run.show(finished(`media/hero/${name}@1`, { end: 'blocked', ms: 0 }));
  for (const name of names(7))
    run.show({ type: 'node-moved', from: `media/a/${name}`, to: `media/b/${name}` });
  run.close();
  const lines = run.text().split('\n');
  expect(lines.slice(4, 7)).toEqual([
    '  ✗ media/hero/n5 blocked',
    '  ✓ media/a/n1 → media/b/n1 moved',
    '  ✓ media/a/n2 → media/b/n2 moved',
  ]);
  expect(lines.slice(10)).toEqual(['  … and 2 more moved', '  … and 4 more media/… blocked', '']);
});
