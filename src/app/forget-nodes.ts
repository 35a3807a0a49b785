import { EXIT } from '../model/exit.ts';
import { KINDS, storedAs } from '../model/kinds.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { err, ok, type Result } from '../util/result.ts';
import { listState, type StateRow } from '../views/list-state.ts';
import { type Change, changeState } from './change-state.ts';
import { type Confirmation, NOT_AGREED } from './consent.ts';
import type { Campaign } from './campaign.ts';
import { recordRun } from './open-for-run.ts';
import { noMatch } from './plan-campaign.ts';
import type { Runtime } from './runtime.ts';

/** Removes nodes from the state and gives their addresses; what exists at the service stays there. */
export function forgetNodes(
  runtime: Runtime,
  campaign: Campaign,
  { globs, ...options }: Omit<Change, 'command'> & { readonly globs: readonly string[] },
): Promise<Result<readonly string[], Refusal>> {
  const change = { ...options, campaign, command: `state rm ${globs.join(' ')}` };
  return changeState(runtime, change, async ({ open, at, agreed }) => {
    const rows = listState(open.state);
    const unmatched = globs.find((glob) => !rows.some(({ address }) => matchesGlob(glob, address)));
    if (unmatched !== undefined) return err(noMatch(unmatched));
    const chosen = rows.filter(({ address }) => globs.some((glob) => matchesGlob(glob, address)));
    const needed = whyNeeded(chosen, open.state);
    if (needed) return err(needed);
    if (!agreed(questionOf(chosen), open.version)) return err(NOT_AGREED);
    const events = chosen.map(({ address }): StateEvent => ({ type: 'forgotten', at, address }));
    await recordRun(open.recorder, events, at);
    return ok(chosen.map(({ address }) => address));
  });
}

function questionOf(chosen: readonly StateRow[]): Confirmation {
  const nodes = chosen.map(
    ({ address, status, id }) => `${address} (${status}${id === null ? '' : ` ${id}`})`,
  );
  const cost = chosen.some(({ kind }) => KINDS[kind].stored === 'take') ? ', and pays for the posts' : '';
  return {
    what:
      `This takes out of the state: ${nodes.join(', ')}. What exists at the service stays there, and files stay where ` +
      `they are; the next apply makes again what the manifest asks for${cost}.`,
    question: 'Forget it?',
  };
}

/** Why a node has to stay: it waits for a decision, another node waits for it, or nothing would fetch its posts. */
function whyNeeded(chosen: readonly StateRow[], state: RunState): Refusal | undefined {
  const names = new Set(chosen.map(({ address }) => address));
  const undecided = chosen.find(({ status }) => status === 'unknown');
  if (undecided) {
    return inUse(
      `${undecided.address} may or may not exist at the service: forgotten, it would be created a second time. Decide ` +
        'it with `campaign resolve`.',
    );
  }
  for (const request of state.requests.values()) {
    if (request.status === 'unknown') {
      const used = JSON.stringify(request.payload);
      const object = chosen.find(
        ({ address }) => storedAs(address) !== 'request' && used.includes(JSON.stringify(address)),
      );
      if (object) {
        const { address } = object;
        return inUse(
          `${request.address} was sent with ${address} and waits for a decision: resolve it first, then forget.`,
        );
      }
    }
    if (!names.has(request.address)) continue;
    const posts = [...state.media.values()].filter(
      ({ address, takes }) => !names.has(address) && takes.some((take) => take.request === request.address),
    );
    if (posts.length) {
      const list = posts.map(({ address }) => address).join(' ');
      return inUse(`${request.address} made posts that the state knows. Name them too: ${list}`);
    }
  }
  return undefined;
}

function inUse(detail: string): Refusal {
  return refusal(EXIT.usage, { code: 'in-use', summary: 'It cannot be forgotten yet', detail });
}
