import path from 'node:path';
import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode, outcomeOf, type RunOutcome } from '../model/exit.ts';
import type { Plan } from '../model/plan.ts';
import { ASKED_FOR } from '../plan/decide-item.ts';
import { countsText, shortAddress, timeText, unverifiedLines } from '../render/run-words.ts';
import { inertText } from '../util/inert-text.ts';
import type { RunEnd } from '../app/run-end.ts';
import type { ShownCampaign } from '../app/campaign.ts';
import type { Output } from './output.ts';

/** What the command is called in its last line. */
export type Verb = 'Apply' | 'Destroy' | 'Wait';

interface Ended {
  readonly end: RunEnd;
  readonly plan: Pick<Plan, 'held' | 'deletions'>;
  readonly verb: Verb;
}

/** The last lines of an apply: what it did, and what comes next. A quiet run that succeeded prints the first only. */
export function tellEnd({ end, plan, verb }: Ended, campaign: ShownCampaign, output: Output): void {
  const { exit, counts } = end;
  const isNews = Object.entries(counts).some(([name, count]) => name !== 'unchanged' && count > 0);
  if (output.isQuiet && exit === EXIT.ok && !isNews) return;
  const paint = exit === EXIT.ok ? output.style.green : output.style.yellow;
  const line = `${paint(`${verb} ${HEADS[outcomeOf(exit)] ?? 'incomplete'}`)}: ${countsText(counts)}.\n`;
  output.result(output.isQuiet ? `${inertText(output.subject)}: ${line}` : `\n${line}`);
  for (const each of unverifiedLines(end.unverified ?? []))
    output.result(`  ${output.style.yellow('!')} ${each}\n`);
  const next = output.isQuiet && exit === EXIT.ok ? undefined : nextWords({ end, plan }, campaign);
  if (next !== undefined) output.result(`${inertText(next)}\n`);
}

const HEADS: Readonly<Partial<Record<RunOutcome, string>>> = {
  succeeded: 'complete',
  failed: 'failed',
  cancelled: 'stopped',
};

export function nextWords(
  { end: { exit, counts, retryAt, late }, plan }: Omit<Ended, 'verb'>,
  { manifest, target }: ShownCampaign,
): string | undefined {
  const command = (verb: string, flags = '') => `\`${commandText(verb, target, flags)}\``;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other codes need no campaign in their words
  switch (exit) {
    case EXIT.ok: {
      const { outputs, folder } = manifest;
      if (!outputs || !counts.downloaded) return undefined;
      const where = path.relative('', path.join(folder, outputs.dir)) || '.';
      return `The files are in ${where}; ${command('outputs')} lists them.`;
    }
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

function heldWords({ held }: Ended['plan'], command: (verb: string, flags?: string) => string): string {
  const isAsked = held.some(({ reasons, isGone = false }) => isGone || reasons.includes(ASKED_FOR));
  const again = isAsked ? 'the same command with `--yes`' : command('apply', '--yes');
  // Of what was only asked for, nothing differs that could be accepted.
  const isEdited = held.some(({ reasons }) => reasons.some((reason) => reason !== ASKED_FOR));
  const keep = isEdited ? `, ${command('state accept')} keeps them for good` : '';
  return `Finished posts were left as they are: ${again} requests them again${keep}.`;
}

const ADVICE: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.unavailable]: 'The service is down. Nothing that was made is lost: run again later.',
  [EXIT.configuration]:
    'Nothing can be sent as it is: check the base URL, its path included, certificates (NODE_EXTRA_CA_CERTS), proxy and clock, then run again.',
  [EXIT.authentication]: 'The service refuses the API key: check it and the environment, then run again.',
};
