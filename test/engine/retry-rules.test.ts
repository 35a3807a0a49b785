import { describe, expect, it } from 'vitest';
import { afterWait, isQuota } from '../../src/engine/retry-rules.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import { mediaNode, productNode, uploadNode } from '../support/planned-nodes.ts';

const problem = { summary: 'busy' };

function judge(
  node: PlannedNode,
  why: 'poll' | 'retry' | 'throttled',
  options: Partial<Parameters<typeof afterWait>[0]> = {},
) {
  return afterWait({
    node,
    attempt: 1,
    wait: { type: 'wait', why, until: 1500, problem },
    now: 1000,
    random: () => 0.5,
    isPaid: true,
    ...options,
  });
}

const refuses = { isPaid: false };

describe('afterWait', () => {
  it('lets a create try three times, then puts it off', () => {
    expect(judge(productNode('p'), 'retry', { attempt: 2 }).type).toBe('wait');
    for (const why of ['retry', 'throttled'] as const) {
      expect(judge(productNode('p'), why, { attempt: 3 })).toEqual({ type: 'put-off', problem });
    }
  });

  it('lets what may be repeated try six times, then fails it', () => {
    for (const node of [uploadNode('u'), productNode('p', { action: 'update' })]) {
      expect(judge(node, 'retry', { attempt: 5 }).type).toBe('wait');
      expect(judge(node, 'retry', { attempt: 6 })).toEqual({ type: 'failed', problem });
      expect(judge(node, 'throttled', { attempt: 6 })).toEqual({ type: 'put-off', problem });
    }
  });

  it('never fails or puts off a poll', () => {
    const media = mediaNode('hero', '1');
    for (const why of ['poll', 'retry', 'throttled'] as const) {
      expect(judge(media, why, { attempt: 100, ...refuses }).type).toBe('wait');
    }
  });

  it('repeats a look for a post that had failed as anything else, and never fails it: the next run looks again', () => {
    const again = { was: 'failed', before: 'nothing' } as const;
    const look = { ...mediaNode('hero', '1'), again } as PlannedNode;
    expect(judge(look, 'retry', { attempt: 5 }).type).toBe('wait');
    for (const why of ['retry', 'throttled'] as const) {
      expect(judge(look, why, { attempt: 6 })).toEqual({ type: 'put-off', problem });
    }
    expect(judge(look, 'retry', refuses)).toEqual({ type: 'put-off', problem });
    expect(judge(look, 'poll', { attempt: 100 }).type).toBe('wait');
  });

  it('asks the budget for retries only', () => {
    expect(judge(uploadNode('u'), 'throttled', refuses).type).toBe('wait');
  });

  it('puts off what the budget refuses', () => {
    expect(judge(uploadNode('u'), 'retry', refuses)).toEqual({ type: 'put-off', problem });
  });

  it('spreads throttled attempts after the time that was asked for', () => {
    expect(judge(uploadNode('u'), 'throttled')).toMatchObject({ until: 2000 });
    expect(judge(uploadNode('u'), 'throttled', { attempt: 3 })).toMatchObject({ until: 3500 });
  });

  it('says what it can where the step gave no reason', () => {
    const wait = { type: 'wait' as const, why: 'retry' as const, until: 0 };
    expect(judge(uploadNode('u'), 'retry', { wait, attempt: 6 })).toEqual({
      type: 'failed',
      problem: { summary: 'the service did not answer' },
    });
  });

  it('puts off whatever the service wants left alone for more than five minutes; a 429 that says so is a quota', () => {
    for (const node of [productNode('p'), mediaNode('hero', '1')]) {
      for (const why of ['throttled', 'retry'] as const) {
        const wait = { type: 'wait' as const, why, until: 301_001, problem };
        expect(judge(node, why, { wait })).toEqual({ type: 'put-off', problem });
        expect(isQuota(wait, 1000)).toBe(why === 'throttled');
        expect(isQuota(wait, 1001)).toBe(false);
      }
    }
  });

  it('lets a poll wait for as long as the service estimates', () => {
    const wait = { type: 'wait' as const, why: 'poll' as const, until: 1_000_000 };
    expect(judge(mediaNode('hero', '1'), 'poll', { wait })).toBe(wait);
  });
});
