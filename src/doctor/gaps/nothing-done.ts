import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';

/** Which refusals prove that nothing was done. */
export const nothingDone: Check<Context> = {
  id: 'nothing_done',
  look({ manifest, state }) {
    const more = manifest.environment.gaps.nothingDone ?? [];
    const open = [...state.requests.values(), ...state.objects.values()].filter(
      ({ status, evidence }) => status === 'unknown' && evidence?.status !== undefined,
    );
    const doubtful = open.find(({ evidence }) => !more.includes(evidence?.status ?? 0));
    if (doubtful) {
      const status = doubtful.evidence?.status;
      return warning(
        `${doubtful.address} is unknown since it got ${status}`,
        `If the service does nothing when it answers ${status}, say service.nothing_done: [${[...more, status].join(', ')}].`,
      );
    }
    return ok(
      `401, 429 and other 4xx but 408, 409, 425${more.length ? `, and ${more.join(', ')} (set)` : ''}`,
    );
  },
};
