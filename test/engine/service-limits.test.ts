/** What one run has learned of a service holds for the next run of the command. */
import { describe, expect, it } from 'vitest';
import { createAdaptiveLimit } from '../../src/engine/adaptive-limit.ts';
import type { LimitSettings } from '../../src/engine/limits.ts';
import { type RigOptions, rigService, startRig } from '../support/engine-rig.ts';
import { failed, pending, PROBLEM, throttled } from '../support/facts.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { conceptNode, mediaNode, postNodes, uploadNode } from '../support/planned-nodes.ts';

const HOUR = 3_600_000;
const SETTINGS: LimitSettings = { total: 8, perKind: {}, mediaInFlight: 200 };

/** Runs at one service, one after the other. */
function runsAt(settings: LimitSettings = SETTINGS) {
  const clock = createManualClock();
  const service = rigService(clock, settings);
  return {
    clock,
    service,
    next: (options: Omit<RigOptions, 'clock' | 'service'>, its = settings) => {
      service.begin(its);
      return startRig({ ...options, clock, service });
    },
  };
}

const concepts = (...names: string[]) => names.map((name) => conceptNode(name));

describe('what a run has learned', () => {
  it('three creates in a row without an answer end all creating, also of the runs that follow', async () => {
    const { next, clock, service } = runsAt();
    const first = next({ nodes: concepts('a', 'b', 'c', 'd'), limits: SETTINGS });
    for (const name of ['a', 'b', 'c', 'd']) await first.answer(`concept/${name}`, failed('no-answer'));
    expect((await first.report).stopped).toEqual(new Set());
    service.rest();

    // Ambiguous creates that were under way with the first one count as one: the two trials are left.
    const second = next({ nodes: concepts('e', 'f', 'g') });
    await clock.advance(20_000);
    await second.answer('concept/e', failed('no-answer'));
    await clock.advance(20_000);
    await second.answer('concept/f', failed('no-answer'));
    expect(await second.ends()).toEqual({
      'concept/e': 'unknown',
      'concept/f': 'unknown',
      'concept/g': 'put-off',
    });
    expect((await second.report).stopped).toEqual(new Set(['creates-ended']));
    service.rest();

    const third = next({ nodes: [uploadNode('u'), conceptNode('h', { dependsOn: ['upload/u'] })] });
    await third.answer('upload/u');
    expect(await third.ends()).toEqual({ 'upload/u': 'done', 'concept/h': 'put-off' });
    expect(third.held.started).toEqual(['upload/u']);
    expect(third.events).toContainEqual(
      expect.objectContaining({
        address: 'concept/h',
        problem: { summary: 'three creates in a row had an unknown outcome' },
      }),
    );
    // It left nothing unknown itself.
    expect((await third.report).stopped).toEqual(new Set());
  });

  it('a used-up quota ends the submitting of the runs that follow, not their polls, until its time has come', async () => {
    const { next, clock, service } = runsAt();
    const first = next({ nodes: concepts('a') });
    await first.answer('concept/a', throttled(HOUR));
    expect(await first.ends()).toEqual({ 'concept/a': 'put-off' });
    service.rest();

    const old = mediaNode('old', '1', { action: 'resume' });
    const second = next({ nodes: [old, ...concepts('b'), ...postNodes('new', 1)] });
    await second.answer('media/old/1@1', pending(1000));
    await clock.advance(1000);
    await second.answer('media/old/1@1');
    expect(await second.ends()).toMatchObject({
      'media/old/1@1': 'done',
      'concept/b': 'put-off',
      'media-config/new@1': 'put-off',
      'media/new/1@1': 'put-off',
    });
    const told = { address: 'concept/b', problem: PROBLEM };
    expect(second.events).toContainEqual(expect.objectContaining(told));
    service.rest();

    await clock.advance(HOUR);
    const third = next({ nodes: concepts('c') });
    await third.answer('concept/c');
    expect(await third.ends()).toEqual({ 'concept/c': 'done' });
  });

  it('posts that were left without waiting count as being generated', async () => {
    const { next, service } = runsAt({ ...SETTINGS, mediaInFlight: 3 });
    const first = next({ nodes: postNodes('a', 2), waiting: 'submit-only' });
    await first.answer('media-config/a@1');
    await first.report;
    service.rest();
    const second = next(
      { nodes: [...postNodes('a', 1), ...postNodes('b', 1)], waiting: 'submit-only' },
      {
        ...SETTINGS,
        mediaInFlight: 3,
      },
    );
    await second.answer('media-config/a@1');
    expect(await second.ends()).toMatchObject({ 'media-config/a@1': 'done', 'media-config/b@1': 'put-off' });
  });

  it('the time between two runs is no part of an outage', async () => {
    const { next, clock, service } = runsAt();
    const first = next({ nodes: [uploadNode('a'), uploadNode('b'), uploadNode('c')], failFast: 'stop' });
    for (const name of ['a', 'b', 'c']) await first.answer(`upload/${name}`, failed('server-error'));
    await first.stop('drain');
    await first.report;
    service.rest();
    await clock.advance(10 * 60_000);
    const second = next({ nodes: [uploadNode('d')] });
    await second.answer('upload/d');
    expect(await second.ends()).toEqual({ 'upload/d': 'done' });
  });

  it('each run keeps to the limits of its own manifest', async () => {
    const { next, clock, service } = runsAt({ ...SETTINGS, requestsPerSecond: 2 });
    const nodes = [uploadNode('a'), uploadNode('b'), uploadNode('c'), uploadNode('d')];
    const first = next({ nodes: nodes.slice(0, 1) }, { ...SETTINGS, requestsPerSecond: 2 });
    await first.answer('upload/a');
    await first.report;
    service.rest();
    // The rate goes on where the first run left it.
    const second = next({ nodes }, { ...SETTINGS, requestsPerSecond: 2 });
    await clock.settle();
    expect(second.held.started).toEqual([]);
    await clock.advance(500);
    expect(second.held.started).toHaveLength(1);
    await second.stop('drain');
    for (const address of second.held.held()) await second.answer(address);
    await second.report;
    service.rest();
    const third = next({ nodes }, { ...SETTINGS, total: 3, perKind: { upload: 2 } });
    await clock.advance(500);
    expect(third.held.held()).toHaveLength(2);
  });
});

describe('another cap', () => {
  const most = (limit: ReturnType<typeof createAdaptiveLimit>) =>
    [...Array(20).keys()].filter((inFlight) => limit.opensAt(inFlight) !== Infinity).length;

  it('holds at once where nothing was refused, and a lowered limit stays where it is', () => {
    const clock = createManualClock();
    const limit = createAdaptiveLimit(4, clock);
    limit.capAt(10);
    expect(most(limit)).toBe(10);
    limit.overloaded();
    expect(most(limit)).toBe(7);
    limit.capAt(16);
    expect(most(limit)).toBe(7);
    limit.capAt(5);
    expect(most(limit)).toBe(5);
  });
});
