/** What the engine does where something says before each attempt that it would cost too much. */
import { expect, it } from 'vitest';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { Problem } from '../../src/model/problem.ts';
import { startRig } from '../support/engine-rig.ts';
import { throttled } from '../support/facts.ts';
import { conceptNode, mediaNode, requestNode } from '../support/planned-nodes.ts';

const OVER: Problem = { summary: 'over budget' };

it('records and sends nothing of it, creates nothing more, and goes on with what was requested before', async () => {
  const rig = startRig({
    nodes: [
      requestNode('a'),
      requestNode('b'),
      conceptNode('late', { dependsOn: ['media/old/1@1'] }),
      mediaNode('old', '1', { action: 'resume' }),
    ],
    whyNot: ({ address }: PlannedNode) => (address === 'media-config/b@1' ? OVER : undefined),
  });
  await rig.answer('media-config/a@1');
  await rig.answer('media/old/1@1');
  await rig.clock.settle();
  expect(await rig.ends()).toEqual({
    'media-config/a@1': 'done',
    'media-config/b@1': 'put-off',
    'concept/late': 'put-off',
    'media/old/1@1': 'done',
  });
  expect([...(await rig.report).stopped]).toEqual(['over-budget']);
  expect(rig.logged().filter((line) => /media-config\/b|late/.test(line))).toEqual([]);
  expect(rig.events).toContainEqual(
    expect.objectContaining({ type: 'node-finished', address: 'media-config/b@1', problem: OVER }),
  );
});

it('asks before every attempt, as each may cost something', async () => {
  let asked = 0;
  const rig = startRig({
    nodes: [requestNode('a')],
    whyNot: () => {
      asked += 1;
      return asked > 1 ? OVER : undefined;
    },
  });
  await rig.answer('media-config/a@1', throttled(1000));
  await rig.clock.advance(3000);
  expect(await rig.ends()).toEqual({ 'media-config/a@1': 'put-off' });
  expect(rig.logged()).toEqual(['intent media-config/a@1', 'throttled media-config/a@1']);
});
