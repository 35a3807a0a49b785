import path from 'node:path';
import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode, outcomeOf, type RunOutcome } from '../model/exit.ts';
import { shortAddress } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { ASKED_FOR } from '../plan/decide-item.ts';
import { fitLines } from '../render/fit-lines.ts';
import { countsText, timeText, unverifiedLines } from '../render/run-words.ts';
import { nextLines } from '../render/status-text.ts';
import { inertText } from '../util/inert-text.ts';
import { heldText, type RunLeft, runSteps } from '../views/run-steps.ts';
import type { RunEnd } from '../app/run-end.ts';
import type { ShownCampaign } from '../app/campaign.ts';
import type { Output } from './output.ts';

/** What the command is called in its last line. */
export type Verb = 'Apply' | 'Destroy' | 'Wait';

interface Ended {
  readonly end: RunEnd;
  readonly plan: Plan;
  readonly verb: Verb;
  /** What the run has left open, by how its nodes ended. */
  readonly open: Pick<RunLeft, 'pending' | 'putOff'>;
}

/** The last lines of an apply: what it did, and what comes next. A quiet run that succeeded prints the first only. */
export function tellEnd({ end, plan, verb, open }: Ended, campaign: ShownCampaign, output: Output): void {
  const { exit, counts } = end;
  const isNews = Object.entries(counts).some(([name, count]) => name !== 'unchanged' && count > 0);
  if (output.isQuiet && exit === EXIT.ok && !isNews) return;
  const paint = exit === EXIT.ok ? output.style.green : output.style.yellow;
  const line = `${paint(`${verb} ${HEADS[outcomeOf(exit)] ?? 'incomplete'}`)}: ${countsText(counts)}.\n`;
  const head = output.isQuiet ? `${inertText(output.subject)}: ${line}` : `\n${line}`;
  output.result(fitLines(head, output.columns));
  for (const each of unverifiedLines(end.unverified ?? []))
    output.result(`  ${output.style.yellow('!')} ${each}\n`);
  if (output.isQuiet && exit === EXIT.ok) return;
  const files = output.isQuiet || exit === EXIT.ok ? undefined : filesWords(end, campaign);
  const next = nextWords({ end, plan }, campaign);
  for (const words of [files, next])
    if (words !== undefined) output.result(`${fitLines(inertText(words), output.columns)}\n`);
  if (verb === 'Destroy' || !HAS_STEPS.has(exit)) return;
  const { failures = [], earlier = [], cost } = end;
  const again = new Set(failures.map(({ address }) => address));
  const others = earlier.filter(({ address }) => !again.has(address));
  const isTold = exit === EXIT.refused || !plan.held.length || plan.held.some(isAskedFor);
  const held = isTold ? undefined : heldText(plan);
  const left = { plan, counts, held, failures, earlier: others, cost, ...open };
  const steps = runSteps(left, { target: campaign.target, ...output.chosen });
  const { columns = Number.POSITIVE_INFINITY, style } = output;
  for (const text of nextLines(steps, { columns, style })) output.result(`${text}\n`);
}

/** Where something is wrong with the service, the key or the machine, that comes first. */
const HAS_STEPS: ReadonlySet<ExitCode> = new Set([
  EXIT.failed,
  EXIT.incomplete,
  EXIT.undecided,
  EXIT.refused,
]);

function filesWords({ counts }: RunEnd, { manifest, target }: ShownCampaign): string | undefined {
  const { outputs, folder } = manifest;
  if (!outputs || !counts.downloaded) return undefined;
  const dir = path.relative('', path.join(folder, outputs.dir)) || '.';
  return `The files are in ${dir}, listed in index.json there and by \`${commandText('outputs', target)}\`.`;
}

const HEADS: Readonly<Partial<Record<RunOutcome, string>>> = {
  succeeded: 'complete',
  failed: 'failed',
  cancelled: 'stopped',
};

export function nextWords(
  { end, plan }: Pick<Ended, 'end' | 'plan'>,
  campaign: ShownCampaign,
): string | undefined {
  const { exit, retryAt, late } = end;
  const { target } = campaign;
  const command = (verb: string, flags = '') => `\`${commandText(verb, target, flags)}\``;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other codes need no campaign in their words
  switch (exit) {
    case EXIT.ok:
      return filesWords(end, campaign);
    case EXIT.failed:
      return `${command('status')} says what failed, why, and what to do about it.`;
    case EXIT.incomplete:
      if (late !== undefined) {
        return `Run again to go on waiting; ${command('resolve', `${shortAddress(late)} --skip`)} gives up a post that the service never finishes.`;
      }
      return retryAt === undefined
        ? 'Run again to go on.'
        : `The service has asked to be left alone: run again after ${timeText(retryAt)} to go on.`;
    case EXIT.undecided:
      return `${command('status')} lists what is unknown, ${command('resolve')} decides it.`;
    case EXIT.refused:
      if (plan.deletions?.because && !plan.held.length)
        return plan.deletions.because === 'unasked'
          ? `Nothing was deleted: ${command('apply', '--prune --yes')} deletes it.`
          : `Nothing was deleted: ${command('plan', '--prune')} shows what it would be.`;
      return plan.held.length
        ? heldWords(plan, command)
        : `Posts were not requested because of the budget: ${command('plan')} says what does not fit.`;
    case EXIT.sighup:
    case EXIT.sigint:
    case EXIT.sigterm:
      return 'Run again to go on: what was made is recorded.';
    default:
      return ADVICE[exit];
  }
}

function isAskedFor({ reasons, isGone = false }: Plan['held'][number]): boolean {
  return isGone || reasons.includes(ASKED_FOR);
}

function heldWords(plan: Plan, command: (verb: string, flags?: string) => string): string {
  const { held } = plan;
  const isAsked = held.some(isAskedFor);
  const again = isAsked ? 'the same command with `--yes`' : command('apply', '--yes');
  // Of what was only asked for, nothing differs that could be accepted.
  const isEdited = held.some(({ reasons }) => reasons.some((reason) => reason !== ASKED_FOR));
  const keep = isEdited ? `, ${command('state accept')} keeps them for good` : '';
  return `Finished posts were left as they are: ${again} requests them again (${heldText(plan)})${keep}.`;
}

const ADVICE: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.unavailable]: 'The service is down. Nothing that was made is lost: run again later.',
  [EXIT.configuration]:
    'Nothing can be sent as it is: check the base URL, its path included, certificates (NODE_EXTRA_CA_CERTS), proxy and clock, then run again.',
  [EXIT.authentication]: 'The service refuses the API key: check it and the environment, then run again.',
};
