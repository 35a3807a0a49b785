/** Which node a decision is about, and whether it can be meant. */
import { splitTake, takeAddress } from '../model/address.ts';
import { EXIT } from '../model/exit.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Refusal, refusal } from './output.ts';

/** The node that a decision is about: an unknown create, or a post that failed. */
export function findOpen(
  state: RunState,
  address: string,
): Result<{ address: string; status: 'unknown' | 'failed' }, Refusal> {
  const node = state.objects.get(address) ?? state.requests.get(address);
  // Given up by --skip: that may be taken back.
  const isOpen = node?.status === 'unknown' || (node?.status === 'skipped' && !node.result);
  if (isOpen) return ok({ address, status: 'unknown' });
  const { address: plain } = splitTake(address.replace(/^download\//, 'media/'));
  const media = state.media.get(plain);
  const take = media && currentTake(media);
  if (take?.status === 'unknown') {
    return err(misuse(`${address} waits for its request: resolve ${take.request}.`));
  }
  if (take?.status === 'done' && !take.files && address.startsWith('download/')) {
    return ok({ address: takeAddress(address.replace(/@\d+$/, ''), take.n), status: 'failed' });
  }
  if (take && (take.status === 'failed' || take.status === 'lost')) {
    return ok({ address: `${plain}@${take.n}`, status: 'failed' });
  }
  const known = node ?? media;
  return err(
    misuse(
      known
        ? `${address} is neither unknown nor failed: there is nothing to decide.`
        : `${address} is not in the state. \`campaign status\` lists what is open.`,
    ),
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An id that cannot be this node's: none at all, or one that another node has. */
export function wrongId(id: string, address: string, { objects, requests }: RunState): Refusal | undefined {
  if (!UUID.test(id)) return misuse(`--id ${id} is not a UUID.`);
  const owner = [...objects.values(), ...requests.values()].find(
    (node) => node.address !== address && node.result && 'id' in node.result && node.result.id === id,
  );
  return owner && misuse(`--id ${id} is the id of ${owner.address}.`);
}

export function misuse(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'nothing-to-resolve', summary: 'Nothing to resolve', detail });
}
