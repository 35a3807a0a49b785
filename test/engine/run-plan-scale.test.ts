import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/engine/outcome-table.ts';
import type { Facts, FailureKind } from '../../src/model/facts.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { NodeEnd } from '../../src/model/run-event.ts';
import { startRig } from '../support/engine-rig.ts';
import { done, failed, pending, throttled } from '../support/facts.ts';
import { stepsOf } from '../support/held-steps.ts';
import { createManualClock } from '../support/manual-clock.ts';
import {
  conceptNode,
  downloadNode,
  mediaNode,
  postNodes,
  productNode,
  requestNode,
  resultFor,
  uploadNode,
} from '../support/planned-nodes.ts';
import { IS_FULL } from '../sweep/stride.ts';

/** All of them in `npm run test:sweep`. */
const NODES = IS_FULL ? 100_000 : 20_000;

describe(`${NODES} nodes`, () => {
  it('are carried out', async () => {
    const nodes = [
      ...Array.from({ length: NODES / 10 }, (_, index) => uploadNode(String(index))),
      ...Array.from({ length: NODES / 10 - 10 }, (_, index) =>
        productNode(String(index), { dependsOn: [`upload/${index}`] }),
      ),
      ...Array.from({ length: 10 }, (_, index) => conceptNode(String(index))),
      ...Array.from({ length: (NODES * 8) / 100 }, (_, index) =>
        postNodes(String(index), 5, { dependsOn: [`product/${index}`, `concept/${index % 10}`] }).slice(
          0,
          10,
        ),
      ).flat(),
    ];
    expect(nodes).toHaveLength(NODES);
    const steps = stepsOf(({ node }) => Promise.resolve(done(resultFor(node))));
    const rig = startRig({ nodes, steps, limits: { total: 64 } });
    const { ends } = await rig.report;
    expect(ends.size).toBe(NODES);
    expect(new Set(ends.values())).toEqual(new Set(['done']));
  });

  it('end with the one that they all depend on', async () => {
    const dependents = Array.from({ length: NODES }, (_, index) =>
      productNode(String(index), { dependsOn: ['upload/u'] }),
    );
    const rig = startRig({ nodes: [uploadNode('u'), ...dependents] });
    await rig.answer('upload/u', failed('refused'));
    expect((await rig.report).ends.size).toBe(NODES + 1);
  });
});

/** Each makes a node of the graph; it depends on some of those before it. */
const MAKERS = [
  (name: string, dependsOn: string[]) => uploadNode(name, { dependsOn }),
  (name: string, dependsOn: string[]) => productNode(name, { dependsOn }),
  (name: string, dependsOn: string[]) => productNode(name, { dependsOn, action: 'update' }),
  (name: string, dependsOn: string[]) => conceptNode(name, { dependsOn }),
  (name: string, dependsOn: string[]) => requestNode(name, { dependsOn, posts: 2 }),
  (name: string, dependsOn: string[]) => mediaNode(name, '1', { dependsOn }),
  (name: string, dependsOn: string[]) => downloadNode(name, '1', { dependsOn }),
  (name: string, dependsOn: string[]) => productNode(name, { dependsOn, action: 'blocked' }),
];

const graphs = fc
  .array(fc.record({ maker: fc.nat(MAKERS.length - 1), upstream: fc.array(fc.nat(), { maxLength: 3 }) }), {
    minLength: 1,
    maxLength: 25,
  })
  .map((drawn) => {
    const nodes: PlannedNode[] = [];
    for (const [index, { maker, upstream }] of drawn.entries()) {
      const dependsOn = upstream.flatMap((at) => nodes[at % Math.max(1, index)]?.address ?? []);
      const make = MAKERS[maker];
      if (make) nodes.push(make(String(index), [...new Set(dependsOn)]));
    }
    return nodes;
  });

const FAILURES: readonly FailureKind[] = [
  'refused',
  'no-answer',
  'not-sent',
  'aborted',
  'server-error',
  'unusable',
  'no-result',
  'gone',
];

/** What came, by a drawn number; most is good, so that runs get somewhere. */
function factsFor(drawn: number, node: PlannedNode): Facts {
  if (drawn === 8) return throttled(700);
  if (drawn === 9 && node.kind === 'media') return pending(100);
  const came = FAILURES[drawn];
  const column = node.kind === 'media' ? 'poll' : node.action === 'create' ? 'create' : 'repeatable';
  const isSaid =
    came && OUTCOMES[node.kind === 'upload' || node.kind === 'download' ? 'repeatable' : column][came];
  return isSaid ? failed(came) : done(resultFor(node));
}

describe('any graph with any answers', () => {
  it('ends every node once, starts none before its dependencies are done, and keeps to the limits', async () => {
    await fc.assert(
      fc.asyncProperty(
        graphs,
        fc.array(fc.nat(24), { minLength: 40, maxLength: 40 }),
        fc.record({ total: fc.integer({ min: 1, max: 5 }), concept: fc.integer({ min: 1, max: 2 }) }),
        async (nodes, draws, { total, concept }) => {
          const clock = createManualClock();
          const ends = new Map<string, NodeEnd>();
          const planned = new Set(nodes.map(({ address }) => address));
          const inFlight = new Map<string, string>();
          let turn = 0;
          const steps = stepsOf(async ({ node }) => {
            const early = node.dependsOn.filter(
              (address) => planned.has(address) && ends.get(address) !== 'done',
            );
            expect(early).toEqual([]);
            inFlight.set(node.address, node.kind);
            const kinds = [...inFlight.values()];
            expect(kinds.length).toBeLessThanOrEqual(total);
            expect(kinds.filter((kind) => kind === 'concept').length).toBeLessThanOrEqual(concept);
            const sending = kinds.filter((kind) => kind !== 'media' && kind !== 'download');
            expect(sending.length).toBeLessThanOrEqual(Math.max(1, total - 1));
            await new Promise<void>((resolve) => {
              clock.after(10, resolve);
            });
            inFlight.delete(node.address);
            turn += 1;
            return factsFor(draws[turn % draws.length] ?? 24, node);
          });
          const rig = startRig({
            nodes,
            steps,
            clock,
            limits: { total, perKind: { concept }, mediaInFlight: 3 },
            emit(event) {
              if (event.type !== 'node-finished') return;
              expect(ends.has(event.address)).toBe(false);
              ends.set(event.address, event.end);
            },
          });
          const finished = rig.report.then((report) => report);
          const state = { over: false };
          void finished.finally(() => {
            state.over = true;
          });
          for (let step = 0; step < 5000 && !state.over; step += 1) await clock.advance(200);
          const report = await finished;
          expect(Object.fromEntries(report.ends)).toEqual(Object.fromEntries(ends));
          expect([...ends.keys()].sort()).toEqual([...planned].sort());
          expect(clock.pending).toBe(0);
        },
      ),
      { numRuns: 150 },
    );
  });
});
