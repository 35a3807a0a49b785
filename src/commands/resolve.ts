import { splitTake } from '../model/address.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import { err, ok } from '../util/result.ts';
import { canAsk } from './ask-replacements.ts';
import { changeState, type ChangeOptions, type Changing } from './change-state.ts';
import { createOutput, refusal } from './output.ts';
import { recordRun } from './record-run.ts';
import { askDecisions } from './resolve-ask.ts';
import { type Decide, type Decision, say } from './resolve-decision.ts';
import { findOpen, misuse, type OpenNode, wrongId } from './resolve-find.ts';
import { lookUp } from './resolve-look-up.ts';

export interface ResolveOptions extends ChangeOptions {
  readonly id?: string;
  readonly notCreated?: true;
  readonly skip?: true;
  /** `--no-verify` makes it false. */
  readonly verify: boolean;
}

/**
 * `campaign resolve [ADDR]`: decides an unknown create, or gives up a post; `--id` is checked with the service where it
 * can be. Without a decision it asks on the terminal, for one node or for all that are unknown.
 */
export function resolve(
  target: { file: string; address: string | undefined },
  options: ResolveOptions,
): Promise<ExitCode> {
  const { file, address } = target;
  const decision = decisionOf(options);
  const wrong = decision ? address === undefined && NO_ADDRESS : !canAsk() && NO_DECISION;
  if (wrong) {
    createOutput(options).diagnostics(wrong.diagnostics);
    return Promise.resolve(wrong.exit);
  }
  const command = [
    'resolve',
    ...(address === undefined ? [] : [address]),
    ...(decision ? [wordOf(decision)] : []),
  ].join(' ');
  return changeState({ file, command }, options, async (changing) => {
    if (!decision || address === undefined)
      return askDecisions(address, changing, deciding(changing, options));
    const decided = await deciding(changing, options)(address, decision);
    if (!decided.ok) return decided.error;
    await recordRun(changing.open.recorder, [decided.value.event], changing.at);
    say(decided.value, changing.output);
    return EXIT.ok;
  });
}

function deciding({ campaign, open: { state }, at }: Changing, { verify }: ResolveOptions): Decide {
  return async (address, decision) => {
    const found = findOpen(state, address);
    if (!found.ok) return found;
    const { status: was } = found.value;
    const event = { type: 'resolved' as const, at, address: found.value.address };
    if (decision.type === 'skipped') {
      const anew = replaceCommand(found.value, state, campaign.target);
      return ok({
        event: { ...event, decision: 'skipped' },
        isSeen: true,
        was,
        ...(anew === undefined ? {} : { anew }),
      });
    }
    if (was !== 'unknown') {
      const what = was === 'failed' ? 'has failed' : 'is being generated';
      return err(misuse(`${address} ${what}: it can only be given up with --skip, or requested again.`));
    }
    if (decision.type === 'not-created')
      return ok({ event: { ...event, decision: 'not-created' }, isSeen: true, was });
    const wrong = wrongId(decision.id, address, state);
    if (wrong) return err(wrong);
    const seen = await lookUp(decision.id, { address, campaign, state, verify });
    if (!seen.ok) return seen;
    const { result, isSeen } = seen.value;
    return ok({ event: { ...event, decision: 'created', result }, isSeen, was });
  };
}

/** Of a post, and only of its current take: an older one has been requested anew already. */
function replaceCommand({ address, take }: OpenNode, state: RunState, target: string): string | undefined {
  const { address: plain } = splitTake(address);
  const media = state.media.get(plain);
  if (!media || currentTake(media) !== take) return undefined;
  return ['campaign apply', target, '--replace', plain].filter(Boolean).join(' ');
}

function decisionOf({ id, notCreated, skip }: ResolveOptions): Decision | undefined {
  if (id !== undefined) return { type: 'created', id };
  if (notCreated) return { type: 'not-created' };
  return skip ? { type: 'skipped' } : undefined;
}

function wordOf(decision: Decision): string {
  return decision.type === 'created' ? `--id ${decision.id}` : WORDS[decision.type];
}

const WORDS = { 'not-created': '--not-created', skipped: '--skip' } as const;

const NO_DECISION = refusal(EXIT.usage, {
  code: 'no-decision',
  summary: 'No decision',
  detail:
    'Say what became of it: --id UUID, --not-created or --skip. On a terminal `campaign resolve` shows what is known of ' +
    'each unknown node and asks.',
});

const NO_ADDRESS = refusal(EXIT.usage, {
  code: 'no-address',
  summary: 'No node',
  detail: 'Name the node that the decision is about. `campaign status` lists what is open.',
});
