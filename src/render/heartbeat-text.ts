import { shortAddress } from '../model/kinds.ts';
import type { RunEvent } from '../model/run-event.ts';
import { count } from '../util/count.ts';
import type { LiveRun } from '../views/live-run.ts';
import { clockText, loadText, numberOf, retryingText, workingTexts } from './live-text.ts';
import type { Style } from './style.ts';

/** What a run waits for, since when, and how many: for logs in which nothing else was written for a while. */
export function heartbeatLine(run: LiveRun, style: Style): string {
  const { posts, requests, files, elapsedMs, load, retrying } = run;
  const parts = [
    ...generatingTexts(run),
    ...workingTexts(requests),
    ...(files.active ? [`${files.active} downloading`] : []),
  ];
  const sums = [
    ...(requests.done < requests.all ? [`requests ${requests.done}/${requests.all}`] : []),
    ...(files.done < files.ready ? [`files ${files.done}/${files.ready}`] : []),
  ];
  const states = [
    ...(load.state === 'normal' ? [] : [loadText(load)]),
    ...(retrying && load.state !== 'throttled' ? [`retrying ${retryingText(retrying)}`] : []),
  ];
  const words = [parts.join(', ') || 'nothing is under way', ...sums, ...states].join('; ');
  return style.dim(`${posts.all ? numberOf(posts) : ' '} … ${clockText(elapsedMs)}: ${words}`);
}

function generatingTexts({ generating: { posts, oldest } }: LiveRun): string[] {
  const [first] = oldest;
  if (!first) return [];
  const name = shortAddress(first.address);
  return [
    posts === 1
      ? `1 post generating for ${clockText(first.ms)} (${name})`
      : `${count(posts, 'post')} generating, the oldest for ${clockText(first.ms)} (${name})`,
  ];
}

/** A spell of throttling that begins sooner after the last one is left to the heartbeat. */
const APART_MS = 30_000;

/** One line when throttling or an outage begins, one when it ends. */
export function createLoadLines(style: Style) {
  let told: { readonly state: LiveRun['load']['state']; readonly since: number } | undefined;
  let state: LiveRun['load']['state'] = 'normal';
  let lastAt = Number.NEGATIVE_INFINITY;
  return (load: Extract<RunEvent, { type: 'load-changed' }>, now: number): string[] => {
    if (load.state === state) return [];
    state = load.state;
    const lines: string[] = [];
    if (told) lines.push(`  ${style.green('✓')} ${OVER[told.state]} after ${clockText(now - told.since)}`);
    const isSpell = state === 'throttled' && !told && now - lastAt < APART_MS;
    const isNews = state !== 'normal' && !isSpell;
    if (isNews) lines.push(`  ${style.yellow('!')} ${beginText(load)}`);
    if (told || isNews) lastAt = now;
    told = isNews ? { state, since: now } : undefined;
    return lines;
  };
}

const OVER: Readonly<Record<LiveRun['load']['state'], string>> = {
  normal: '',
  throttled: 'no longer throttled',
  outage: 'the service answers again',
};

function beginText({ state, at_once: atOnce, of }: Extract<RunEvent, { type: 'load-changed' }>): string {
  if (state === 'outage') return 'the service does not answer: it is asked now and then';
  return `throttled: ${atOnce} at once, not ${of}`;
}
