import { type Check, ok, unknown } from '../check.ts';
import type { Context } from '../context.ts';
import { notSeen } from './gap.ts';

export const conceptRead: Check<Context> = {
  id: 'concept_read',
  async look(context) {
    const { request } = await context.ask();
    if (!request?.answer.ok) return notSeen('request');
    const { concept_id: concept } = request.answer.value;
    if (concept !== undefined)
      return ok(`only inside a media configuration; ${request.address} names its concept`);
    return unknown(`${request.address} does not name its concept: a concept cannot be read back`);
  },
};
