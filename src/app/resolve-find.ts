/** Finds the node that a decision is about, and checks whether it can be decided. */
import { mediaOf, splitTake, takeAddress } from '../model/address.ts';
import { storedAs } from '../model/kinds.ts';
import { EXIT } from '../model/exit.ts';
import type { Problem } from '../model/problem.ts';
import { currentTake, type RunState, type TakeState } from '../model/run-state.ts';
import { isId, isSameId } from '../service/read-id.ts';
import { err, ok, type Result } from '../util/result.ts';
import { refusal, type Refusal } from '../model/problem.ts';

/** A node that waits for a decision, was given up or can be; `take` is that of a post or a download. */
export interface OpenNode {
  readonly address: string;
  readonly status: 'unknown' | 'failed' | 'pending';
  readonly take?: TakeState;
  readonly problem?: Problem | undefined;
}

/** The node that a decision is about: an unknown or refused create, or a post that failed or is not finished. */
export function findOpen(state: RunState, address: string): Result<OpenNode, Refusal> {
  const node = state.objects.get(address) ?? state.requests.get(address);
  // Given up by --skip, which may be taken back.
  const isOpen = node?.status === 'unknown' || (node?.status === 'skipped' && !node.result);
  if (isOpen) return ok({ address, status: 'unknown' });
  // Refused by the service: every run tries it again, unless it is given up.
  const object = state.objects.get(address);
  if (object?.status === 'failed' && !object.result)
    return ok({ address, status: 'failed', problem: object.problem });
  const { address: plain, take: n } = splitTake(mediaOf(address));
  const media = state.media.get(plain);
  const take = media && (n === undefined ? currentTake(media) : media.takes.find((each) => each.n === n));
  if (take?.status === 'unknown') {
    return err(misuse(`${address} waits for its request: resolve ${take.request}.`));
  }
  if (take?.status === 'done' && !take.files && storedAs(address) === 'files') {
    return ok(failedTake(splitTake(address).address, take));
  }
  if (take && (take.status === 'failed' || take.status === 'lost')) {
    return ok(failedTake(plain, take));
  }
  if (take?.status === 'pending') return ok({ address: takeAddress(plain, take.n), status: 'pending', take });
  if (!node && !take) {
    return err(misuse(`${address} is not in the state. \`campaign status\` lists what is open.`));
  }
  const older = media?.takes.find(({ status }) => status === 'pending');
  const hint = older ? ` Its take ${takeAddress(plain, older.n)} is pending: name that one.` : '';
  return err(misuse(`${address} is neither unknown, failed nor pending: there is nothing to decide.${hint}`));
}

function failedTake(plain: string, take: TakeState): OpenNode {
  return { address: takeAddress(plain, take.n), status: 'failed', take, problem: take.problem };
}

/** An id that cannot be this node's: it is no id, or another node has it. */
export function wrongId(id: string, address: string, { objects, requests }: RunState): Refusal | undefined {
  if (!isId(id)) {
    return wrong(
      `--id ${id} is none: the ids of the service have letters, digits, \`-\` and \`_\`, at most 128.`,
    );
  }
  const owner = [...objects.values(), ...requests.values()].find(
    (node) =>
      node.address !== address && node.result && 'id' in node.result && isSameId(node.result.id ?? '', id),
  );
  return owner && wrong(`--id ${id} is the id of ${owner.address}.`);
}

function wrong(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'wrong-id', summary: 'This cannot be its id', detail });
}

export function misuse(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'nothing-to-resolve', summary: 'Nothing to resolve', detail });
}
