import { mediaOf } from '../model/address.ts';
import { KINDS, shortAddress } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';
import type { RunEvent } from '../model/run-event.ts';
import { durationText } from '../util/duration.ts';
import { inertText } from '../util/inert-text.ts';
import { withoutIds } from '../views/failure-groups.ts';
import type { Renderer } from './renderer.ts';
import { endWord, timeText } from './run-words.ts';
import { causeText, problemText } from '../views/cause-words.ts';
import type { Style } from './style.ts';

/** Shorter than any duration that is shown. */
const SOON_MS = 50;

interface LineOptions {
  readonly write: (text: string) => void;
  readonly style: Style;
}

/** As `eventLine`, but each cause is printed once, however many nodes wait for it or fail with it. */
export function createNews(style: Style): (event: RunEvent) => string | undefined {
  const waitsFor = new Set<string>();
  const failedWith = new Set<string>();
  const putOffFor = new Set<string>();
  return (event) => {
    if (event.type === 'node-finished' && event.end === 'put-off') {
      // A used-up quota defers many nodes at once: the cause is printed once, and the sum at the end.
      if (!event.problem || event.problem.cause === 'upstream') return undefined;
      const cause = problemText(event.problem);
      const told = event.problem.retry_at === undefined ? cause : event.problem.summary;
      if (putOffFor.has(told)) return undefined;
      putOffFor.add(told);
    }
    if (event.type === 'node-waiting' && event.problem) {
      const cause = waitText(event.problem);
      if (waitsFor.has(cause)) return undefined;
      waitsFor.add(cause);
    }
    if (event.type === 'node-finished' && event.problem) {
      const cause = problemText(event.problem);
      const { photos } = event.problem;
      const { problem: _, ...withoutCause } = event;
      if (failedWith.has(cause)) return eventLine(withoutCause, style, photos);
      failedWith.add(cause);
    }
    return eventLine(event, style);
  };
}

/** So many nodes that were tried are named by a quiet run. */
const NAMED = 5;

/** For quiet runs: the first nodes that were tried and are left to another run; failures are printed at the end. */
export function createProblemRenderer({ write, style }: LineOptions): Renderer {
  const tried = new Set<string>();
  const news = createNews(style);
  let left = 0;
  return {
    show(event) {
      if (event.type === 'node-started') tried.add(event.address);
      if (event.type === 'run-stopping') write(`${eventLine(event, style) ?? ''}\n`);
      if (event.type !== 'node-finished' || !tried.has(event.address)) return;
      const line = event.end === 'put-off' || event.end === 'blocked' ? news(event) : undefined;
      if (line === undefined) return;
      left += 1;
      if (left <= NAMED) write(`${line}\n`);
    },
    close() {
      if (left > NAMED) write(`  ${style.yellow('…')} and ${left - NAMED} more left to another run\n`);
      left = 0;
    },
  };
}

/** Only the post of requests and downloads that end with it is listed, unless the service refused them alone. */
function isPassedOn({ kind, end, problem }: RunEvent & { type: 'node-finished' }): boolean {
  if (end === 'unchanged') return true;
  if (problem?.status !== undefined) return false;
  const { stored } = KINDS[kind];
  if (stored === 'files') return end === 'blocked' || end === 'put-off' || end === 'pending';
  return stored === 'request' && end === 'blocked';
}

/** Why a node waits, without ids: they would make many messages of one cause, and the node is named beside it. */
function waitText(problem: Problem): string {
  return withoutIds(problemText(problem));
}

function stoppingText({ awaited, creates, ms }: RunEvent & { type: 'run-stopping' }): string {
  const [they, need] = creates === 1 ? ['1 create has', 'needs'] : [`${creates} creates have`, 'need'];
  if (ms === 0) return `Ending now: ${they} no answer, and ${need} \`campaign resolve\`.`;
  if (awaited === 0) return 'Stopping: no create or update is under way.';
  const requests = awaited === 1 ? '1 create or update' : `${awaited} creates or updates`;
  const risk = creates ? '; what has no answer then needs `campaign resolve`' : '';
  return (
    `Stopping: waiting for ${requests} (at most ${Math.ceil(ms / 1000)} s).\n` +
    `    Ctrl-C again ends now${risk}.`
  );
}

function endText(problem: Problem): string {
  const { retry_at: at } = problem;
  const text = causeText(problem);
  return at === undefined ? text : `${text.replace(/\.$/, '')}; come back after ${timeText(at)}`;
}

/** The line for an event; undefined for most events. */
export function eventLine(event: RunEvent, style: Style, named: readonly string[] = []): string | undefined {
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- most events have no line
  switch (event.type) {
    case 'node-finished': {
      if (isPassedOn(event)) return undefined;
      const { address, kind, action, end, ms, problem, files } = event;
      // A request that succeeded is not a result yet: its posts are being generated.
      const isDone = end === 'done' && (action === 'delete' || KINDS[kind].stored !== 'request');
      const isOpen = end === 'done' || end === 'pending' || end === 'put-off';
      const mark = isDone ? style.green('✓') : isOpen ? style.yellow('…') : style.red('✗');
      const cause = problem ? `: ${endText(problem)}` : '';
      const where = files?.length ? ` ${style.dim(inertText(files.join(', ')))}` : '';
      // A node that was never started took no time.
      const spent = ms > 0 ? ` ${style.dim(`(${durationText(ms)})`)}` : '';
      // The plan lists the post, not its download.
      const shown = end === 'done' ? mediaOf(address) : address;
      const about = problem?.photos ?? named;
      const photos = about.length ? ` (${inertText(about.join(', '))})` : '';
      return `  ${mark} ${shortAddress(shown)}${photos} ${endWord(kind, action, end)}${cause}${where}${spent}`;
    }
    case 'node-waiting': {
      if (!event.problem) return undefined;
      const cause = waitText(event.problem).replace(/\.$/, '');
      const next = event.ms < SOON_MS ? 'next try at once' : `next try in ${durationText(event.ms)}`;
      return `  ${style.yellow('…')} ${shortAddress(event.address)}: ${cause}; ${next}`;
    }
    case 'node-moved':
      return `  ${style.green('✓')} ${event.from} → ${event.to} moved`;
    case 'run-stopping':
      return `  ${style.yellow('!')} ${stoppingText(event)}`;
    case 'warning':
      return `  ${style.yellow('!')} ${problemText(event)}`;
    default:
      return undefined;
  }
}
