import { describe, expect, it } from 'vitest';
import { afterWait, isQuota } from '../../src/engine/retry-rules.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import { mediaNode, productNode, uploadNode } from '../support/planned-nodes.ts';

const problem = { summary: 'busy' };

function judge(
  node: PlannedNode,
  why: 'poll' | 'retry' | 'throttled',
  options: Record<string, unknown> = {},
) {
  const paid: string[] = [];
  const outcome = afterWait({
    node,
    attempt: 1,
    wait: { type: 'wait', why, until: 1500, problem },
    now: 1000,
    random: () => 0.5,
    payRetry: () => paid.push('retry') > 0,
    ...options,
  });
  return { outcome, paid: paid.length };
}

const refuses = { payRetry: () => false };

describe('afterWait', () => {
  it('lets a create try three times, then puts it off', () => {
    expect(judge(productNode('p'), 'retry', { attempt: 2 })).toMatchObject({
      outcome: { type: 'wait' },
      paid: 1,
    });
    for (const why of ['retry', 'throttled'] as const) {
      expect(judge(productNode('p'), why, { attempt: 3 }).outcome).toEqual({ type: 'put-off', problem });
    }
  });

  it('lets what may be repeated try six times, then fails it', () => {
    for (const node of [uploadNode('u'), productNode('p', { action: 'update' })]) {
      expect(judge(node, 'retry', { attempt: 5 }).outcome.type).toBe('wait');
      expect(judge(node, 'retry', { attempt: 6 }).outcome).toEqual({ type: 'failed', problem });
      expect(judge(node, 'throttled', { attempt: 6 }).outcome).toEqual({ type: 'put-off', problem });
    }
  });

  it('never fails or puts off a poll', () => {
    const media = mediaNode('hero', '1');
    for (const why of ['poll', 'retry', 'throttled'] as const) {
      expect(judge(media, why, { attempt: 100, ...refuses }).outcome.type).toBe('wait');
    }
  });

  it('draws from the budget for retries only, those of polls included', () => {
    const media = mediaNode('hero', '1');
    expect(judge(media, 'retry').paid).toBe(1);
    expect(judge(media, 'poll').paid + judge(media, 'throttled').paid).toBe(0);
    expect(judge(productNode('p'), 'throttled', refuses).outcome.type).toBe('wait');
  });

  it('puts off what the budget refuses', () => {
    expect(judge(uploadNode('u'), 'retry', refuses).outcome).toEqual({ type: 'put-off', problem });
  });

  it('spreads throttled attempts after the time that was asked for', () => {
    expect(judge(uploadNode('u'), 'throttled').outcome).toMatchObject({ until: 2000 });
    expect(judge(uploadNode('u'), 'throttled', { attempt: 3 }).outcome).toMatchObject({ until: 3500 });
  });

  it('says what it can where the step gave no reason', () => {
    const wait = { type: 'wait' as const, why: 'retry' as const, until: 0 };
    expect(judge(uploadNode('u'), 'retry', { wait, attempt: 6 }).outcome).toEqual({
      type: 'failed',
      problem: { summary: 'the service did not answer' },
    });
  });

  it('puts off whatever is throttled for more than five minutes', () => {
    for (const node of [productNode('p'), mediaNode('hero', '1')]) {
      const wait = { type: 'wait' as const, why: 'throttled' as const, until: 301_001, problem };
      expect(judge(node, 'throttled', { wait }).outcome).toEqual({ type: 'put-off', problem });
      expect(isQuota(wait, 1000)).toBe(true);
      expect(isQuota(wait, 1001)).toBe(false);
    }
  });
});
