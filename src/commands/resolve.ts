import { splitTake } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { currentTake, type RunState } from '../model/run-state.ts';
import { err, ok } from '../util/result.ts';
import { changeLoaded, changeState, type ChangeOptions, type Changing } from '../app/change-state.ts';
import { loadCampaign } from '../app/load-campaign.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { createOutput, refuse } from '../cli/output.ts';
import { readState, stateRefusal } from '../app/read-state.ts';
import { recordRun } from '../app/record-run.ts';
import { askDecisions } from '../cli/resolve-ask.ts';
import { type Decide, type Decision, say } from '../app/resolve-decision.ts';
import { findOpen, misuse, type OpenNode, wrongId } from '../app/resolve-find.ts';
import { lookUp } from '../app/resolve-look-up.ts';
import { ownTerminal, type Terminal } from '../cli/terminal.ts';

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
  const terminal = ownTerminal();
  if (decision && address !== undefined) {
    const command = ['resolve', address, wordOf(decision)].join(' ');
    return changeState({ file, command }, options, decided(address, decision, options));
  }
  if (!decision && terminal) return ask(target, options, terminal);
  return Promise.resolve(refuse(decision ? NO_ADDRESS : NO_DECISION, createOutput(options)));
}

/** Asks on the terminal. No lock is held meanwhile: each decision takes it for itself. */
async function ask(
  { file, address }: Parameters<typeof resolve>[0],
  options: ResolveOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const output = createOutput(options);
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error, output);
  const campaign = loaded.value;
  const end = await askDecisions(address, {
    terminal,
    output,
    async read() {
      const opened = await readState(campaign);
      if (!opened.ok) return opened;
      const { diverged, state } = opened.value;
      return diverged ? err(stateRefusal(diverged, campaign)) : ok(state);
    },
    record(node, decision) {
      const command = ['resolve', node, wordOf(decision)].join(' ');
      return changeLoaded({ campaign, output, command, options }, decided(node, decision, options));
    },
  });
  return typeof end === 'number' ? end : refuse(end, output);
}

/** Records one decision, and tells it. */
function decided(address: string, decision: Decision, options: ResolveOptions) {
  return async (changing: Changing): Promise<ExitCode | Refusal> => {
    const made = await deciding(changing, options)(address, decision);
    if (!made.ok) return made.error;
    await recordRun(changing.open.recorder, [made.value.event], changing.at);
    say(made.value, changing.output);
    return EXIT.ok;
  };
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
  return commandText('apply', target, '--replace', plain);
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
