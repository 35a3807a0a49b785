import { INTERRUPTED } from '../log/fold-state.ts';
import type { RunState } from '../model/run-state.ts';

/**
 * The state without the creates that a run at work has sent since `since` (ISO 8601) and waits for: their end is not known,
 * but nobody has to decide about them, as about those of a run that was killed.
 */
export function withoutUnderWay(state: RunState, since: string): RunState {
  const isUnderWay = ({ status, evidence, at }: Sent) =>
    status === 'unknown' && evidence?.summary === INTERRUPTED.summary && at >= since;
  const sent = new Set(
    [...state.objects.values(), ...state.requests.values()].filter(isUnderWay).map(({ address }) => address),
  );
  if (!sent.size) return state;
  const media = [...state.media].flatMap(([address, each]) => {
    const takes = each.takes.filter(({ request }) => !sent.has(request));
    return takes.length
      ? [[address, takes.length < each.takes.length ? { ...each, takes } : each] as const]
      : [];
  });
  const left = <Node>(nodes: ReadonlyMap<string, Node>) =>
    new Map([...nodes].filter(([address]) => !sent.has(address)));
  return { ...state, objects: left(state.objects), requests: left(state.requests), media: new Map(media) };
}

interface Sent {
  readonly address: string;
  readonly status: string;
  readonly evidence?: { readonly summary: string };
  readonly at: string;
}
