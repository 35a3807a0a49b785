/**
 * The state as a fold over the log. The maps grow in place, for speed: a run appends a hundred thousand events to a
 * state of a hundred thousand nodes. The values in them are never changed, only replaced, so that a value taken from a
 * state does not change afterwards.
 *
 * A create that is under way and one that was interrupted look the same, on purpose: both are `unknown` from their
 * intent until the end of the attempt is recorded. Events about nodes that the state does not have change nothing.
 */
import { mediaOf, splitTake, type Address } from '../model/address.ts';
import { kindOf, KINDS, storedAs } from '../model/kinds.ts';
import type {
  DownloadEvent,
  MediaEvent,
  ObjectEvent,
  RequestEvent,
  Spent,
  StateEvent,
} from '../model/state-event.ts';
import type { FoldState } from './fold-state.ts';
import { foldObject } from './fold-object.ts';
import { foldRequest, forgetRequest } from './fold-request.ts';
import { foldMoves } from './fold-moves.ts';
import { foldDownload, foldLetGo, foldTake, forgetTake, mapTakes } from './fold-take.ts';
import { foldKept } from './snapshot.ts';

export function emptyState(): FoldState {
  return {
    objects: new Map(),
    requests: new Map(),
    media: new Map(),
    learned: new Map(),
    gone: new Set(),
    spending: { open: new Set(), carried: new Map(), command: '' },
    before: new Map(),
  };
}

export function fold(state: FoldState, event: StateEvent): FoldState {
  if (event.type === 'forgotten') forget(state, event.address);
  else if ('address' in event) foldNode(state, event);
  else if (event.type === 'learned') state.learned.set(event.name, event.value);
  else if (event.type === 'kept') foldKept(state, event);
  else if (event.type === 'run-started') state.spending.command = event.command;
  else if (event.type === 'run-finished') endSpending(state);
  else if (event.type === 'spent') takeOver(state, event);
  else if (event.type === 'let-go') foldLetGo(state, event);
  else if (event.type === 'moved') foldMoves(state, event.moves);
  return state;
}

function takeOver({ spending }: FoldState, { month, posts, cost }: Spent): void {
  spending.carried.set(month, { posts, cost });
}

/** Commands that decide something between two runs of `apply` do not end the run that was killed. */
function endSpending({ spending }: FoldState): void {
  if (spending.command.startsWith('apply')) spending.open.clear();
}

function foldNode(state: FoldState, event: NodeEvent): void {
  const kind = kindOf(event.address);
  if (!kind) return;
  const { stored, interrupted } = KINDS[kind];
  // Otherwise a node without an end would be unknown; a node that may simply be sent again stays as it was.
  if (event.type === 'intent' && interrupted === 'repeat') return;
  switch (stored) {
    case 'object':
      return foldObject(state, event as ObjectEvent);
    case 'request':
      return foldRequest(state, event as RequestEvent);
    case 'take':
      return foldTake(state, event as MediaEvent);
    case 'files':
      return foldDownload(state, event as DownloadEvent);
  }
}

type NodeEvent = ObjectEvent | RequestEvent | MediaEvent | DownloadEvent;

/**
 * Removes a node from a state. A medium or a download without `@n` is removed with all its takes, a request with the
 * posts that it made. The number of a request stays taken, so that one address never means two requests.
 */
function forget(state: FoldState, address: Address): void {
  state.objects.delete(address);
  state.before.delete(address);
  forgetRequest(state, address);
  const isDownload = storedAs(address) === 'files';
  const { address: item, take: n } = splitTake(mediaOf(address));
  const media = state.media.get(item);
  if (!media) return;
  mapTakes(state, media, (take) => {
    if (n !== undefined && take.n !== n) return take;
    const { files: _, ...rest } = take;
    return isDownload ? rest : forgetTake(state, take);
  });
}
