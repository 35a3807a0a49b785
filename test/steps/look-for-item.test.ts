import { describe, expect, it } from 'vitest';
import type { Recheck, PlannedNode } from '../../src/model/plan.ts';
import type { Client } from '../../src/service/client.ts';
import { createKnownNames } from '../../src/steps/known-names.ts';
import { mediaStep } from '../../src/steps/media.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import { err, ok } from '../../src/util/result.ts';
import { createIo, jobOf, mediumNode, NOT_THERE, serviceError, signal } from './step-rig.ts';
import { emptyState } from '../../src/log/fold.ts';

const REQUEST = 'media-config/hero@1';
const RESULT = { id: 'c-1', concept: 'k-1', items: { '2': { id: 'i-2' } } };
const item = (id: string, type = 'image') => ({ id, post_type: type });

describe('a look for a post that the answer to its request did not have', () => {
  const lookFor = (
    before: Recheck['before'],
    answer: Awaited<ReturnType<Client['getMediaConfig']>>,
    given: Partial<StepIo> = {},
  ) => {
    const node = { ...mediumNode({ seen: false }), again: { was: 'failed', before } } as PlannedNode;
    const outputs = { dir: 'out', name: '{post}/{item}-{post_type}' };
    const io = createIo({ getMediaConfig: async () => answer }, { outputs, ...given });
    return mediaStep(io).run(jobOf(node, { results: { [REQUEST]: RESULT } }), signal);
  };

  it.each(['nothing', 'paying'] as const)(
    'finds nothing where its media configuration lists what was known (%s)',
    async (before) => {
      expect(await lookFor(before, ok({ id: 'c-1', items: [item('i-2')] }))).toEqual({
        came: 'as-it-was',
        sent: 'yes',
      });
    },
  );

  it.each(['nothing', 'paying'] as const)(
    'has it polled where it is listed by now, and tells what else is (%s)',
    async (before) => {
      const items = [item('i-2'), item('i-1'), item('i-3')];
      expect(await lookFor(before, ok({ id: 'c-1', items }))).toMatchObject({
        came: 'pending',
        sent: 'yes',
        waitMs: 0,
        memo: { polls: 0, seen: false, found: true },
        listed: {
          id: 'c-1',
          concept: 'k-1',
          items: { '1': item('i-1'), '3': item('i-3') },
          surplus: ['3'],
        },
        adds: [
          { address: 'media/hero/3@1', action: 'resume', payload: { request: REQUEST, requestedAs: '3' } },
          { address: 'download/hero/3@1', payload: { path: 'out/hero/3-image' } },
        ],
      });
    },
  );

  it('takes none that is of another kind: before it is paid for, a person decides', async () => {
    const answer = ok({ id: 'c-1', items: [item('i-2'), item('i-1', 'video'), item('i-3', 'video')] });
    const requested: StepIo['requested'] = (address) => ({
      ...createIo({}).requested(address),
      sent: ['1', '4', '5'].map((name) => ({ name, body: { post_type: name === '1' ? 'image' : 'video' } })),
    });
    expect(await lookFor('nothing', answer, { requested })).toEqual({ came: 'as-it-was', sent: 'yes' });
    expect(await lookFor('paying', answer, { requested })).toEqual({
      came: 'unclear',
      sent: 'yes',
      problem: {
        summary: 'The service lists more posts by now',
        detail:
          'GET /media-config/c-1/ has an item that the answer to the request did not have, so the post may have been ' +
          'made. If it has not, `campaign state rm` forgets this one, and the next run requests another',
      },
    });
  });

  it('believes no answer about another request, and no item that another request has', async () => {
    const summary = 'The answer of the service cannot be used';
    expect(await lookFor('nothing', ok({ id: 'c-2', items: [item('i-1')] }))).toMatchObject({
      came: 'unclear',
      sent: 'yes',
      problem: { summary },
    });
    const names = createKnownNames(emptyState());
    names.claim('media-config/other@1', { id: 'c-9', concept: 'k-1', items: { '1': { id: 'i-1' } } });
    expect(await lookFor('nothing', ok({ id: 'c-1', items: [item('i-1')] }), { names })).toEqual({
      came: 'unclear',
      sent: 'yes',
      problem: { summary, detail: 'the answer names the item i-1, which media-config/other@1 has already' },
    });
  });

  it('leaves it as it is where the question is refused; before it is paid for, that is no answer', async () => {
    expect(await lookFor('nothing', err(NOT_THERE))).toEqual({ came: 'as-it-was', sent: 'yes' });
    expect(await lookFor('paying', err(NOT_THERE))).toMatchObject({ came: 'refused' });
    expect(await lookFor('nothing', err(serviceError('server-error')))).toMatchObject({
      came: 'server-error',
    });
  });
});
