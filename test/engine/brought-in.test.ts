import { describe, expect, it } from 'vitest';
import { createMemoryWork } from '../../src/engine/memory-work.ts';
import type { NodeEnd } from '../../src/model/run-event.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import { startRig } from '../support/engine-rig.ts';
import { failed } from '../support/facts.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { conceptNode, downloadNode, mediaNode, requestNode } from '../support/planned-nodes.ts';

const FREELY = () => 0;

/** A request of two posts that brings them in, or beside which they are listed. */
function requestOf(post: string, how: 'brings' | 'lists'): PlannedNode[] {
  const request = requestNode(post, { posts: 2, dependsOn: ['concept/c'] });
  const takes = ['1', '2'].flatMap((item) => [mediaNode(post, item), downloadNode(post, item)]);
  if (how === 'lists') return [request, ...takes];
  return [{ ...request, takes: () => takes }];
}

async function workOf(how: 'brings' | 'lists') {
  const nodes = [conceptNode('c'), ...requestOf('a', how), ...requestOf('b', how)];
  const work = createMemoryWork(nodes, createManualClock());
  await work.open();
  const next = async () => {
    const claim = await work.claim(FREELY);
    return claim.type === 'node' ? claim.node : undefined;
  };
  return { work, next };
}

const ENDS: readonly NodeEnd[] = ['failed', 'unknown', 'put-off', 'pending'];

describe('posts that come in with their request', () => {
  it('are handed out in the same order as if they were listed', async () => {
    const orders = { brings: [] as string[], lists: [] as string[] };
    for (const how of ['brings', 'lists'] as const) {
      const { work, next } = await workOf(how);
      for (let node = await next(); node; node = await next()) {
        orders[how].push(node.address);
        await work.finish({ node, end: 'done' });
      }
      expect(await work.idle()).toEqual([]);
    }
    expect(orders.brings).toEqual(orders.lists);
    expect(orders.brings).toHaveLength(11);
  });

  it('come in one request after the other', async () => {
    const { work, next } = await workOf('brings');
    for (const address of ['concept/c', 'media-config/a@1', 'media-config/b@1']) {
      const node = await next();
      expect(node?.address).toBe(address);
      if (node) await work.finish({ node, end: 'done' });
    }
    expect((await next())?.address).toBe('media/a/1@1');
    expect(await work.claim(() => Infinity)).toMatchObject({ left: 4 });
  });

  it.each(ENDS)('end with it where it is %s, with the same cause', async (end) => {
    const both = (['brings', 'lists'] as const).map(async (how) => {
      const { work } = await workOf(how);
      return [
        await work.finish({ node: requestNode('a'), end }),
        await work.finish({ node: conceptNode('c'), end }),
        await work.claim(FREELY),
      ];
    });
    const [brought, listed] = await Promise.all(both);
    const plainly = JSON.stringify(listed);
    expect(JSON.stringify(brought)).toBe(plainly);
  });

  it('are among the dependents and among what is idle', async () => {
    const [brought, listed] = await Promise.all([workOf('brings'), workOf('lists')]);
    const request = 'media-config/a@1';
    expect(await brought.work.dependents(request)).toEqual(await listed.work.dependents(request));
    expect(JSON.stringify(await brought.work.idle())).toBe(JSON.stringify(await listed.work.idle()));
    expect(await brought.work.dependents(request)).toEqual(await listed.work.dependents(request));
  });
});

describe('a run', () => {
  async function ranWith(how: 'brings' | 'lists', stopsAt?: string) {
    const nodes = [conceptNode('c'), ...requestOf('a', how), ...requestOf('b', how)];
    const rig = startRig({ nodes });
    await rig.clock.settle();
    for (let [first] = rig.held.held(); first !== undefined; [first] = rig.held.held()) {
      if (first === stopsAt) await rig.stop('drain');
      await rig.answer(first, first === 'download/a/2@1' ? failed('no-result') : undefined);
    }
    const { endOf } = await rig.report;
    const all = [conceptNode('c'), ...requestOf('a', 'lists'), ...requestOf('b', 'lists')];
    return { events: rig.events, ends: all.map((node) => `${node.address} ${endOf(node)}`) };
  }

  it.each([undefined, 'concept/c', 'media-config/b@1', 'media/a/2@1', 'download/b/1@1'])(
    'says the same of each post whether it came in or was listed, stopped at %s',
    async (stopsAt) => {
      expect(await ranWith('brings', stopsAt)).toEqual(await ranWith('lists', stopsAt));
    },
  );
});
