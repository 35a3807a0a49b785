/**
 * Whether the answer of a create without one may come still: its process may be on another machine, frozen or cut off, and
 * record it when it is back. Who decides before that that nothing was created may pay twice.
 */
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { DEFAULT_TIMEOUTS, timeoutsOf } from '../service/connections.ts';
import type { Store } from '../store/store.ts';

interface Asked {
  readonly store: Pick<Store, 'silenceMs'>;
  readonly manifest: Pick<Manifest, 'environment'>;
  readonly state: RunState;
  /** ISO 8601. */
  readonly at: string;
}

/** Why it is too early to say of one of these that it was not created. */
export function whyTooEarly(
  addresses: readonly string[],
  { store: { silenceMs }, manifest, state, at }: Asked,
): Refusal | undefined {
  if (silenceMs === undefined) return undefined;
  const { totalMs } = { ...DEFAULT_TIMEOUTS, ...timeoutsOf(manifest.environment.gaps.timeouts) };
  const waitMs = silenceMs + totalMs;
  for (const address of addresses) {
    const begun = begunAt(address, state);
    const until = begun === undefined ? undefined : new Date(Date.parse(begun) + waitMs).toISOString();
    if (until === undefined || until <= at) continue;
    return refusal(EXIT.locked, {
      code: 'answer-may-come',
      summary: 'Its answer may come still',
      detail:
        `${address} was begun at ${begun}, and the process that sent it has not said how it ended. If it is there still, it ` +
        `records the answer by itself. Wait until ${until}, then decide. Nothing was recorded.`,
    });
  }
  return undefined;
}

/** Where a process has said itself that it got no answer, the evidence names the request. */
function begunAt(address: string, { objects, requests }: RunState): string | undefined {
  const node = objects.get(address) ?? requests.get(address);
  if (node?.status !== 'unknown' || node.evidence?.request !== undefined) return undefined;
  return requests.get(address)?.requestedAt ?? node.at;
}
