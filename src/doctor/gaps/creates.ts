import { retriedKinds } from '../../model/kinds.ts';
import { adviceFor, isLostAnswer, warningAbout } from '../../model/nothing-done.ts';
import type { RunState } from '../../model/run-state.ts';
import { provenStatuses } from '../../service/classify-status.ts';
import { count } from '../../util/count.ts';
import { type Check, notSeen, ok, unknown, warning } from '../check.ts';
import type { Context } from '../context.ts';

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

export const nothingDone: Check<Context> = {
  id: 'nothing_done',
  look({ manifest, state }) {
    const changes = manifest.environment.gaps.nothingDone ?? [];
    const set = changes.length ? `; set: ${changes.map(written).join(', ')}` : '';
    const proven = provenStatuses(changes);
    const lost = changes.find((change) => typeof change === 'number' && isLostAnswer(change));
    if (typeof lost === 'number') return warning(`${lost} is set, and proves nothing`, warningAbout(lost));
    for (const { address, evidence } of unknownOf(state.requests, state.objects)) {
      const { status = 0 } = evidence ?? {};
      // A 2xx that could not be read is no refusal: something was done. What was taken away is not offered again.
      if (status < 400 || proven.has(status) || changes.includes(`!${status}`)) continue;
      return warning(`${address} is unknown since it got ${status}`, adviceFor(status, changes));
    }
    return ok(`400–406, 410, 411, 413–415, 422, 429 and 431${set}`);
  },
};

/** As YAML, where a plain text that begins with `!` would be a tag. */
function written(change: number | string): string {
  return typeof change === 'number' ? String(change) : `"${change}"`;
}

export const onUnknown: Check<Context> = {
  id: 'on_unknown',
  look({ manifest, state }) {
    const repeated = retriedKinds(manifest.environment.gaps.onUnknown);
    const rule = repeated.length
      ? `${repeated.join(' and ')} creates are repeated, a person decides the rest`
      : 'a person decides';
    const unknown = unknownOf(state.objects, state.requests);
    const [first] = unknown;
    if (!first) return ok(`${rule}; none is open`);
    return warning(
      `${rule}; ${count(unknown.length, 'create')} unknown`,
      `Look whether it exists there, then decide: campaign resolve ${manifest.file} ${first.address}`,
    );
  },
};

function unknownOf(...known: readonly (RunState['objects'] | RunState['requests'])[]) {
  return known.flatMap((nodes) => [...nodes.values()].filter(({ status }) => status === 'unknown'));
}
