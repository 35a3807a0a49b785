import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';
import { retriedKinds } from '../../model/kinds.ts';
import { count } from '../../util/count.ts';

export const onUnknown: Check<Context> = {
  id: 'on_unknown',
  look({ manifest, state }) {
    const repeated = retriedKinds(manifest.environment.gaps.onUnknown);
    const rule = repeated.length
      ? `${repeated.join(' and ')} creates are repeated, a person decides the rest`
      : 'a person decides';
    const unknown = [...state.objects.values(), ...state.requests.values()].filter(
      ({ status }) => status === 'unknown',
    );
    const [first] = unknown;
    if (!first) return ok(`${rule}; none is open`);
    return warning(
      `${rule}; ${count(unknown.length, 'create')} unknown`,
      `Look whether it exists there, then decide: campaign resolve ${manifest.file} ${first.address}`,
    );
  },
};
