import { downloadAddress, takeAddress, type Address } from '../model/address.ts';
import type { NodeStatus, RequestState, RunState } from '../model/run-state.ts';
import { kindOf, type NodeKind, orderOf } from '../model/kinds.ts';

/** One line of `state list`; `id` is the id at the service, null where nothing exists. */
export interface StateRow {
  readonly address: Address;
  readonly kind: NodeKind;
  readonly status: NodeStatus;
  readonly id: string | null;
}

/** A post's current take and its files are at the address without a number, older ones at `…@n`. */
export function listState(state: RunState): StateRow[] {
  const rows: StateRow[] = [];
  for (const { address, status, result } of [...state.objects.values(), ...requestsMade(state)])
    rows.push(rowOf(address, status, result && 'id' in result ? result.id : null));
  for (const media of state.media.values()) {
    media.takes.forEach((take, index) => {
      const current = index === media.takes.length - 1;
      const address = current ? media.address : takeAddress(media.address, take.n);
      const id = take.result?.id ?? null;
      rows.push(rowOf(address, take.status, id));
      // A download is listed once it was tried: the state does not know whether the manifest wants one.
      const isTried = take.files !== undefined || (take.status === 'done' && take.problem !== undefined);
      if (isTried) rows.push(rowOf(downloadAddress(address), take.files ? 'done' : 'failed', id));
    });
  }
  return rows.sort((a, b) => orderOf(a.kind) - orderOf(b.kind) || (a.address < b.address ? -1 : 1));
}

function rowOf(address: Address, status: NodeStatus, id: string | null): StateRow {
  const kind = kindOf(address);
  if (!kind) throw new Error(`the state has a node of no kind: ${address}`);
  return { address, kind, status, id };
}

/** All requests but those that were taken back, which only keep their number from being used again. */
function requestsMade(state: RunState): RequestState[] {
  const takes = [...state.media.values()].flatMap((media) => media.takes);
  const withTakes = new Set(takes.map(({ request }) => request));
  return [...state.requests.values()].filter(
    ({ address, status }) => status !== 'skipped' || withTakes.has(address),
  );
}
