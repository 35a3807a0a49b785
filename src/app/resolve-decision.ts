import { storedAs } from '../model/address.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Result } from '../util/result.ts';
import type { Refusal } from '../model/problem.ts';
import type { Output } from '../cli/output.ts';
import type { OpenNode } from './resolve-find.ts';

/** What the user decided: it exists under this id, it was not made, or it is given up. */
export type Decision =
  | { readonly type: 'created'; readonly id: string }
  | { readonly type: 'not-created' }
  | { readonly type: 'skipped' };

/** A decision as the log has it; `isSeen`: the service has confirmed the id. */
interface Decided {
  readonly event: Extract<StateEvent, { type: 'resolved' }>;
  readonly isSeen: boolean;
  readonly was: OpenNode['status'];
  /** What requests a post anew that was given up. */
  readonly anew?: string;
}

/** Makes an event of a decision, or says why it cannot be one. */
export type Decide = (address: string, decision: Decision) => Promise<Result<Decided, Refusal>>;

/** Tells what was recorded. */
export function say(decided: Decided, output: Output): void {
  const { address, decision } = decided.event;
  const { isSeen, anew } = decided;
  const words = {
    created: 'is recorded as created',
    'not-created': 'is recorded as not created: the next apply requests it',
    skipped: `is given up: ${skippedWords(decided)}`,
  };
  if (output.mode === 'json') {
    output.json({ address, decision, ...(isSeen ? {} : { verified: false }) });
    return;
  }
  output.result(`${output.style.green('✓')} ${address} ${words[decision]}.\n`);
  if (anew !== undefined)
    output.result(`  It may have been paid for. \`${anew}\` requests it anew, and pays for it again.\n`);
  if (!isSeen) output.result('  The service was not asked for it: the id is taken as it was given.\n');
}

function skippedWords({ event: { address }, was, anew }: Decided): string {
  if (storedAs(address) === 'files') return 'no run fetches it any more';
  const again = 'it is not requested again until it changes';
  if (was !== 'pending') return again;
  // An older take has been requested again already.
  return `no run waits for it or fetches it${anew === undefined ? '' : `, and ${again}`}`;
}
