/** What the manifest names no more, and which of it an apply lets go of: nothing that is added later is held up by it. */
import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { hasKey } from '../model/kinds.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { LettingGo, Plan } from '../model/plan.ts';
import type { StateEvent } from '../model/state-event.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import type { Unnamed } from './hold.ts';
import type { MatchedState } from '../match/match-state.ts';

export function unnamedIn({ state, posts }: MatchedState): MediaState[] {
  const named = new Set(
    posts.flatMap(({ items }) => items.flatMap(({ known, address }) => (known ? [address] : []))),
  );
  return [...state.media.values()].filter(({ surplus, address }) => !surplus && !named.has(address));
}

/** Nothing is deleted unless asked. Uploads are not listed, because they belong to photos that are gone. */
export function leftAlone(graph: Graph, state: RunState, { unnamed, isSettled }: Unnamed): Address[] {
  const objects = [...state.objects.values()].filter(
    ({ address, result }) => result && hasKey(address) && !graph.objects.has(address),
  );
  const media = unnamed.filter((medium) => !isSettled(medium));
  return [...objects, ...media].map(({ address }) => address);
}

/** What the state does not say yet: which of what is left alone is let go of, and what is named again. */
export function letGoIn(
  graph: Graph,
  { state, posts }: MatchedState,
  leftAloneNow: readonly Address[],
): LettingGo {
  const isHeld = (address: Address) => !(state.media.get(address) ?? state.objects.get(address))?.letGo;
  const items = posts.flatMap((post) => post.items);
  const named = items.filter(
    ({ known, item }) => known?.letGo && currentTake(known)?.fingerprint === item.fingerprint,
  );
  const objects = [...graph.objects.keys()].filter((address) => state.objects.get(address)?.letGo);
  return {
    addresses: leftAloneNow.filter(isHeld),
    again: [...objects, ...named.map(({ address }) => address)],
  };
}

/** For the end of a run: one that was interrupted, or ended badly, has shown nobody what it left. */
export function lettingGoEvents({ letGo }: Plan, exit: ExitCode, at: string): StateEvent[] {
  const { addresses = [] } = letGo ?? {};
  return addresses.length && ENDED_WELL.has(exit) ? [{ type: 'let-go', at, addresses, again: [] }] : [];
}

const ENDED_WELL: ReadonlySet<ExitCode> = new Set([EXIT.ok, EXIT.failed, EXIT.incomplete, EXIT.undecided]);

/** For its beginning. */
export function namedAgainEvents({ letGo }: Plan, at: string): StateEvent[] {
  const { again = [] } = letGo ?? {};
  return again.length ? [{ type: 'let-go', at, addresses: [], again }] : [];
}
