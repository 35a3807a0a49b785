import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';
import { notSeen } from './gap.ts';

/** Statuses that say that the service does not accept the content of a request. */
const BAD_REQUEST: ReadonlySet<number> = new Set([400, 422]);

export const form: Check<Context> = {
  id: 'form',
  look({ manifest, state }) {
    const sent = manifest.environment.gaps.form ?? 'schema';
    const requests = [...state.requests.values()];
    const made = requests.findLast(({ result }) => result);
    const refused = requests.findLast(({ problem }) => BAD_REQUEST.has(problem?.status ?? 0));
    if (refused && !made) {
      const other = sent === 'schema' ? 'guide' : 'schema';
      return warning(
        `${sent}: ${refused.address} was refused (${refused.problem?.status})`,
        `If its message is about fields, try service.form: ${other}.`,
      );
    }
    if (made) return ok(`${sent}, ${made.address} was accepted`);
    const verdict = notSeen('request', 'service.form');
    return { ...verdict, summary: `${sent}; ${verdict.summary}` };
  },
};
