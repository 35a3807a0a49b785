import path from 'node:path';
import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode, outcomeOf, type RunOutcome } from '../model/exit.ts';
import { shortAddress } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import { ASKED_FOR } from '../plan/decide-item.ts';
import { fitLines } from '../render/fit-lines.ts';
import { countsText, timeText, unverifiedLines } from '../render/run-words.ts';
import { nextLines } from '../render/status-text.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { heldText, heldUpWords, requestedWords } from '../views/held-words.ts';
import { leftPosts } from '../views/plan-summary.ts';
import type { RunEnd } from '../app/run-end.ts';
import type { ShownCampaign } from '../app/campaign.ts';
import type { Output } from './output.ts';

/** What the command is called in its last line. */
export type Verb = 'Apply' | 'Destroy' | 'Wait';

interface Ended {
  readonly end: RunEnd;
  readonly plan: Plan;
  readonly verb: Verb;
}

/** The last lines of a run: what it did, and what comes next. A quiet run that succeeded prints the first only. */
export function tellEnd({ end, plan, verb }: Ended, campaign: ShownCampaign, output: Output): void {
  const { exit, counts, left, next = [] } = end;
  const isNews = Object.entries(counts).some(([name, count]) => name !== 'unchanged' && count > 0);
  if (output.isQuiet && exit === EXIT.ok && !isNews) return;
  const paint = exit === EXIT.ok ? output.style.green : output.style.yellow;
  const line = end.leftTo
    ? `${paint(end.leftTo === 'others, if any' ? 'The run is out of sight' : 'The run goes on without this process')}${soFar(end)}.\n`
    : `${paint(`${verb} ${HEADS[outcomeOf(exit)] ?? 'incomplete'}`)}: ${countsText(counts, left)}.\n`;
  const head = output.isQuiet ? `${inertText(output.subject)}: ${line}` : `\n${line}`;
  // A number stays on the line of its word.
  const kept = head.replaceAll(/(?<=\d) (?=[a-z])/g, '\u00A0');
  output.result(fitLines(kept, output.columns).replaceAll('\u00A0', ' '));
  for (const each of unverifiedLines(end.unverified ?? []))
    output.result(`  ${output.style.yellow('!')} ${each}\n`);
  if (output.isQuiet && exit === EXIT.ok && !end.leftTo) return;
  const files = output.isQuiet || exit === EXIT.ok ? undefined : filesWords(end, campaign);
  for (const words of [files, nextWords({ end, plan }, campaign)])
    if (words !== undefined) output.result(`${fitLines(inertText(words), output.columns)}\n`);
  const { columns = Number.POSITIVE_INFINITY, style } = output;
  const isMade = verb !== 'Destroy' && counts.downloaded > 0 && !output.isQuiet;
  const steps = isMade ? [...next, lookStep(campaign)] : next;
  for (const text of nextLines(steps, { columns, style })) output.result(`${text}\n`);
}

/** Pictures are made to be looked at. */
function lookStep({ target }: Pick<ShownCampaign, 'target'>) {
  return {
    command: commandText('report', target),
    does: 'puts all pictures on one page, to approve and reject them',
  };
}

/** What is open is under way somewhere else, and not left. */
function soFar({ counts }: RunEnd): string {
  const ended = { ...counts, pending: 0, unchanged: 0 };
  return Object.values(ended).some((number) => number > 0) ? `; so far ${countsText(ended)}` : '';
}

/** Where to look after a run that was left, and how to end it. */
function leftToWords(who: NonNullable<RunEnd['leftTo']>, target: string): string {
  const command = (verb: string, flags = '') => `\`${commandText(verb, target, flags)}\``;
  const begun = {
    workers: `Workers carry it out; another ${command('apply')} takes part in it.`,
    nobody: `No worker is there yet: \`campaign worker\` carries it out, or another ${command('apply')}.`,
    'others, if any': `It has not ended, and others may carry it out; another ${command('apply')} takes part in it.`,
  }[who];
  return `${begun} ${command('status', '--watch')} shows it, ${command('stop')} ends it.`;
}

function filesWords({ counts }: RunEnd, { manifest, target, files }: ShownCampaign): string | undefined {
  const { outputs, folder } = manifest;
  if (!outputs || !counts.downloaded) return undefined;
  const dir = path.relative('', path.resolve(folder, outputs.dir)) || '.';
  if (files)
    return `The files are in ${files}; \`${commandText('outputs', target, '--fetch')}\` brings them to ${dir}.`;
  return `The files are in ${dir}, listed in index.json there and by \`${commandText('outputs', target)}\`.`;
}

/** Why a run ends as refused, for programs, which see no plan: a limit that forbids it was told before the run. */
export function unagreed({ held, deletions }: Plan, { target }: Pick<ShownCampaign, 'target'>): Problem[] {
  const heldUp = held.length - leftPosts({ held });
  const finished = leftPosts({ held });
  const isKeepable = held.some((each) => each.isKeepable);
  const { length: deleted } = deletions?.withheld ?? [];
  const command = (verb: string, flags = '') => `\`${commandText(verb, target, flags)}\``;
  const posts = `${requestedWords(heldUp ? [heldUpWords(heldUp)] : [], finished)}, and nobody has agreed. The rest is done. The same command with --yes requests ${held.length === 1 ? 'it' : 'them'}${isKeepable ? `; ${command('state accept')} keeps edited ones as made` : ''}.`;
  const all = `${count(deleted, 'deletion')} would be made, and nobody has agreed. The rest is done. ${command('apply', '--prune --yes')} deletes.`;
  return [
    ...(held.length
      ? [
          {
            code: 'posts-left',
            summary: finished ? 'Finished posts are left as they are' : 'New posts were held up',
            detail: posts,
          },
        ]
      : []),
    ...(deletions?.because === 'unasked'
      ? [{ code: 'deletions-unasked', summary: 'Nothing is deleted', detail: all }]
      : []),
  ];
}

const HEADS: Readonly<Partial<Record<RunOutcome, string>>> = {
  succeeded: 'complete',
  failed: 'failed',
  cancelled: 'stopped',
};

/** What somebody should do now, for a message that has no lines. */
export function noticeWords(ended: Pick<Ended, 'end' | 'plan'>, campaign: ShownCampaign): string | undefined {
  const steps = (ended.end.next ?? []).map(({ command, does }) => `\`${command}\` ${does}.`);
  return [nextWords(ended, campaign) ?? [], steps].flat().join(' ') || undefined;
}

function nextWords({ end, plan }: Pick<Ended, 'end' | 'plan'>, campaign: ShownCampaign): string | undefined {
  const { exit, retryAt, late, next = [], leftTo } = end;
  const { target } = campaign;
  if (leftTo) return leftToWords(leftTo, target);
  const command = (verb: string, flags = '') => `\`${commandText(verb, target, flags)}\``;
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other codes need no campaign in their words
  switch (exit) {
    case EXIT.ok:
      return filesWords(end, campaign);
    case EXIT.failed:
      return `${command('status')} says what failed, why, and what to do about it.`;
    case EXIT.incomplete:
      if (late !== undefined) {
        return `${command('resolve', `${shortAddress(late)} --skip`)} gives up a post that the service never finishes.`;
      }
      if (retryAt === undefined) return next.length ? undefined : 'Run again to go on.';
      return `The service has asked to be left alone: run again after ${timeText(retryAt)} to go on.`;
    case EXIT.undecided:
      return `${command('status')} lists what is unknown, ${command('resolve')} decides it.`;
    case EXIT.needsConsent:
      if (plan.deletions?.because && !plan.held.length)
        return plan.deletions.because === 'unasked'
          ? `Nothing was deleted: ${command('apply', '--prune --yes')} deletes it.`
          : `Nothing was deleted: ${command('plan', '--prune')} shows what it would be.`;
      return plan.held.length
        ? heldWords(plan)
        : `Posts were not requested because of the budget: ${command('plan')} says what does not fit.`;
    case EXIT.sighup:
    case EXIT.sigint:
    case EXIT.sigterm:
      return 'Run again to go on: what was made is recorded.';
    default:
      return ADVICE[exit]?.(command);
  }
}

function isAskedFor({ reasons, isGone = false }: Plan['held'][number]): boolean {
  return isGone || reasons.includes(ASKED_FOR);
}

/** What comes next says how to consent to edits; what was only asked for by a flag takes that flag again. */
function heldWords(plan: Plan): string {
  const { held } = plan;
  const finished = leftPosts(plan);
  if (!finished)
    return 'New posts were held up, because they may be earlier ones with another name and nobody has agreed to request them.';
  const isMixed = finished < held.length;
  const left = `Finished posts were left as they are${isMixed ? ', and new posts that may be earlier ones were held up' : ''}`;
  const again = isMixed ? '' : ' again';
  if (!held.some(isAskedFor)) return `${left}, because nobody has agreed to request them${again}.`;
  return `${left}: the same command with \`--yes\` requests them${again} (${heldText(plan)}).`;
}

type Advice = (command: (verb: string) => string) => string;

const ADVICE: Readonly<Partial<Record<ExitCode, Advice>>> = {
  [EXIT.unavailable]: () => 'The service is down. Nothing that was made is lost: run again later.',
  [EXIT.configuration]: (command) =>
    `Nothing can be sent as it is: check the base URL, its path included, certificates (NODE_EXTRA_CA_CERTS, service.tls), proxy and clock; ${command('doctor')} tries them.`,
  [EXIT.authentication]: (command) =>
    `The service refuses the API key: check it and the environment; ${command('doctor')} tries them.`,
};
