import { type Address, takeAddress } from '../model/address.ts';
import { type MediaState, type RunState, type TakeState } from '../model/run-state.ts';
import type { Onwards } from './periods.ts';
import { verdictAbout, type Verdicts } from '../model/verdict.ts';

/** A take that a newer one has replaced: it was paid for, and it is exactly what another item asks for, or the same one again. */
export interface OlderTake {
  readonly address: Address;
  readonly media: MediaState;
}

/** By content and period, also by the one that a post goes on in; those that were rejected are wanted by nobody. */
export function findOlderTakes(
  { media }: RunState,
  verdicts: Verdicts,
  onwards: Onwards,
): ReadonlyMap<string, OlderTake[]> {
  const byContent = new Map<string, OlderTake[]>();
  for (const medium of media.values()) {
    const places = [medium, onwards(medium)].filter((place) => place !== undefined);
    for (const take of medium.takes.slice(0, -1)) {
      if (medium.surplus || !isUsable(take, verdicts)) continue;
      const older = { address: takeAddress(medium.address, take.n), media: medium };
      for (const { period } of places) {
        const content = contentIn(period, take.fingerprint);
        const alike = byContent.get(content) ?? [];
        byContent.set(content, alike);
        alike.unshift(older);
      }
    }
  }
  return byContent;
}

function isUsable({ status, result }: TakeState, verdicts: Verdicts): boolean {
  if (status === 'pending') return true;
  const verdict = result && verdictAbout(result.id, verdicts)?.verdict;
  return status === 'done' && verdict !== 'rejected';
}

export function contentIn(period: string | undefined, fingerprint: string): string {
  return `${period ?? ''} ${fingerprint}`;
}
