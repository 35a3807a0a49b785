import { provenStatuses } from '../../service/classify-status.ts';
import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';

export const nothingDone: Check<Context> = {
  id: 'nothing_done',
  look({ manifest, state }) {
    const changes = manifest.environment.gaps.nothingDone ?? [];
    const proven = provenStatuses(changes);
    const open = [...state.requests.values(), ...state.objects.values()].filter(
      ({ status, evidence }) => status === 'unknown' && isRefusal(evidence?.status),
    );
    const doubtful = open.find(({ evidence }) => !proven.has(evidence?.status ?? 0));
    if (doubtful) {
      const status = doubtful.evidence?.status;
      return warning(
        `${doubtful.address} is unknown since it got ${status}`,
        `If the service does nothing when it answers ${status}, say service.nothing_done: [${[...changes.map(written), status].join(', ')}].`,
      );
    }
    const set = changes.length ? `; set: ${changes.map(written).join(', ')}` : '';
    return ok(`400–406, 410, 411, 413–415, 422, 429 and 431${set}`);
  },
};

/** A 2xx that could not be read is no refusal: something was done. */
function isRefusal(status = 0): boolean {
  return status >= 400;
}

/** As YAML, where a plain text that begins with `!` would be a tag. */
function written(change: number | string): string {
  return typeof change === 'number' ? String(change) : `"${change}"`;
}
