import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';
import { count } from '../../util/count.ts';
import { notSeen } from './gap.ts';

export const items: Check<Context> = {
  id: 'items',
  async look(context) {
    const { request } = await context.ask();
    const known = request?.known ?? [...context.state.requests.values()].findLast(({ result }) => result);
    if (!known?.result) return notSeen('request');
    const sent = known.payload.items.length;
    const back = request?.answer.ok
      ? request.answer.value.items.length
      : Object.keys(known.result.items).length;
    if (back === sent) return ok(`${known.address} came back with as many as were sent (${sent})`);
    const meaning = back < sent ? 'those that are missing count as failed' : 'the surplus is polled and kept';
    return warning(
      `${known.address}: ${count(sent, 'item')} sent, ${back} came back`,
      `Nothing to set: ${meaning}.`,
    );
  },
};
