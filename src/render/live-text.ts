import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import { shortAddress } from '../model/kinds.ts';
import { count, nonZero } from '../util/count.ts';
import { groupBy } from '../util/group-by.ts';
import type { LiveRun } from '../views/live-run.ts';
import { workingWord } from './run-words.ts';
import { problemText } from '../views/cause-words.ts';
import { inAscii } from './ascii.ts';
import {
  label,
  LABEL_CELLS,
  NARROW,
  type Note,
  noteLines,
  type Screen,
  textLines,
  truncation,
} from './live-rows.ts';
import type { Style } from './style.ts';

/** Numbers stand below each other. */
interface Numbered extends Screen {
  readonly numberCells: number;
}

const BAR_CELLS = 16;

/** The lines of the live block; none is wider than the terminal, and all of them are no higher. */
export function liveLines(run: LiveRun, screen: Screen): string[] {
  const all = Math.max(run.posts.all, run.requests.all, run.files.all);
  const numbers = { ...screen, numberCells: `${all}/${all}`.length };
  const whole = partsOf(run, numbers);
  const generating = { ...run.generating, oldest: [] };
  const parts = isWithin(whole, screen) ? whole : partsOf({ ...run, generating }, numbers);
  for (const place of LEAST_NEEDED) if (!isWithin(parts, screen)) parts[place] = [];
  return parts
    .flat()
    .map((row) => cliTruncate(screen.isUnicode ? row : inAscii(row), screen.columns, truncation(screen)));
}

function partsOf(run: LiveRun, screen: Numbered): string[][] {
  return [
    partLines('posts', run.posts, postsNotes(run, screen.style), screen),
    partLines('requests', run.requests, requestsNotes(run, screen.style), screen),
    generatingLines(run, screen),
    filesLines(run, screen),
    retryingLines(run, screen),
    costLines(run, screen),
    stoppingLines(run, screen),
  ];
}

/** On a terminal that is too low even without ages: cost goes first, then files, what is tried again, what is generating. */
const LEAST_NEEDED = [5, 3, 4, 2];

function isWithin(parts: readonly (readonly string[])[], { rows }: Screen): boolean {
  return parts.flat().length <= rows;
}

/** `name  ██████░░░░  96/240  notes`; `of`: what the bar is a part of. */
function partLines(
  name: string,
  { done, all, of = all }: { readonly done: number; readonly all: number; readonly of?: number },
  notes: readonly Note[],
  screen: Numbered,
): string[] {
  if (of === 0) return [];
  const numbers = `${done}/${all}`.padStart(screen.numberCells);
  const head = `${label(name)}${bar(done / of, screen)}${numbers}  `;
  return noteLines(head, notes, { ...screen, between: ' · ' });
}

function bar(part: number, { columns, style }: Screen): string {
  if (columns < NARROW) return '';
  const cells = Math.min(BAR_CELLS, Math.floor(part * BAR_CELLS));
  return `${style.green('█'.repeat(cells))}${style.dim('░'.repeat(BAR_CELLS - cells))}  `;
}

function postsNotes({ elapsedMs, posts }: LiveRun, style: Style): Note[] {
  const { leftMs } = posts;
  return [
    { text: clockText(elapsedMs) },
    ...endsNotes(posts, 'to request', style),
    ...(leftMs === undefined ? [] : [{ text: `about ${roughText(leftMs)} left` }]),
  ];
}

function endsNotes(
  { failed, unknown, blocked, pending, putOff }: LiveRun['requests' | 'posts'],
  wordForPutOff: string,
  style: Style,
): Note[] {
  const bad = nonZero([
    [failed, 'failed'],
    [unknown, 'unknown'],
  ]);
  const open = nonZero([
    [blocked, 'blocked'],
    [pending, 'pending'],
    [putOff, wordForPutOff],
  ]);
  return [
    ...bad.map((text) => ({ text, paint: style.red })),
    ...open.map((text) => ({ text, paint: style.yellow })),
  ];
}

function requestsNotes({ load, requests }: LiveRun, style: Style): Note[] {
  const working = workingTexts(requests);
  return [
    ...(load.state === 'normal' ? [] : [{ text: loadText(load), paint: style.yellow }]),
    ...endsNotes(requests, 'put off', style),
    ...(working.length ? [{ text: working.join(', ') }] : []),
  ];
}

/** `3 uploading`, `1 creating`. */
export function workingTexts({ active }: LiveRun['requests']): string[] {
  const byWord = groupBy(active, ({ kind, action }) => workingWord(kind, action));
  return [...byWord].map(([word, alike]) => `${alike.reduce((sum, { number }) => sum + number, 0)} ${word}`);
}

export function loadText({ state, ms, at_once: atOnce, of }: LiveRun['load']): string {
  if (state === 'outage') return `no answer for ${clockText(ms)}: asked now and then`;
  return `throttled for ${clockText(ms)}: ${atOnce} at once, not ${of}`;
}

function generatingLines({ generating }: LiveRun, screen: Screen): string[] {
  const { posts, limit, perMinute, oldest } = generating;
  if (posts === 0) return [];
  const facts = [
    `${posts} generating${posts >= limit ? ` (limit ${limit})` : ''}`,
    ...(perMinute === undefined ? [] : [`${perMinute} done/min`]),
    ...(oldest.length ? ['oldest:'] : []),
  ];
  const notes = facts.map((text) => ({ text }));
  return [
    ...noteLines(label('waiting'), notes, { ...screen, between: ', ' }),
    ...oldestLines(generating, screen),
  ];
}

function oldestLines({ posts, usualMs, oldest }: LiveRun['generating'], screen: Screen): string[] {
  const { style, columns } = screen;
  const usually = usualMs === undefined ? '' : style.dim(`   usually ${clockText(usualMs)}`);
  const ages = oldest.map(({ address, ms }, index) => {
    const age = clockText(ms).padStart(8);
    const isLate = usualMs !== undefined && ms > 2 * usualMs;
    const after = index === 0 && columns >= NARROW ? usually : '';
    const cells = columns - LABEL_CELLS - 10 - stringWidth(after);
    // The end of an address says which post it is.
    const name = cliTruncate(shortAddress(address), cells, {
      ...truncation(screen),
      position: 'middle',
    });
    return `${' '.repeat(LABEL_CELLS)}${isLate ? style.yellow(age) : age}  ${name}${after}`;
  });
  if (!oldest.length || posts <= oldest.length) return ages;
  return [...ages, style.dim(`${' '.repeat(LABEL_CELLS + 4)}… and ${posts - oldest.length} more`)];
}

function filesLines({ files, posts }: LiveRun, screen: Numbered): string[] {
  const { done, ready, all, active, failed } = files;
  if (all === 0) return [];
  const notes = [
    ...(failed ? [{ text: `${failed} failed`, paint: screen.style.red }] : []),
    ...(active ? [{ text: `${active} downloading` }] : []),
  ];
  return partLines(
    'files',
    { done, all: Math.max(ready, done), of: Math.max(all, posts.all) },
    notes,
    screen,
  );
}

function retryingLines({ retrying, load }: LiveRun, screen: Screen): string[] {
  if (!retrying || load.state === 'throttled') return [];
  return textLines('retrying', retryingText(retrying), screen, screen.style.yellow);
}

export function retryingText({ nodes, problem, ms }: NonNullable<LiveRun['retrying']>): string {
  return `${count(nodes, 'request')} in ${clockText(ms)}: ${problemText(problem).replace(/\.$/, '')}`;
}

function costLines({ cost }: LiveRun, screen: Screen): string[] {
  if (!cost) return [];
  const { spent, of, currency } = cost;
  return textLines(
    'cost',
    `${spent.toFixed(2)} of ${of.toFixed(2)}${currency ? ` ${currency}` : ''}`,
    screen,
  );
}

function stoppingLines({ stopping }: LiveRun, screen: Screen): string[] {
  if (!stopping) return [];
  const { awaited, creates, ms } = stopping;
  if (awaited === 0)
    return textLines('stopping', 'no create or update is under way', screen, screen.style.yellow);
  const requests = awaited === 1 ? '1 create or update' : `${awaited} creates or updates`;
  const risk = creates ? '; unanswered creates need `campaign resolve`' : '';
  return [
    ...textLines(
      'stopping',
      `waiting for ${requests}, at most ${clockText(ms)}`,
      screen,
      screen.style.yellow,
    ),
    ...textLines('', `Ctrl-C again ends now${risk}`, screen),
  ];
}

/** `[ 97/240]` */
export function numberOf({ done, all }: LiveRun['posts']): string {
  return `[${String(done).padStart(String(all).length)}/${all}]`;
}

/** `5:41`, `1:05:41`. */
export function clockText(ms: number): string {
  const whole = Math.round(ms / 1000);
  const [hours, minutes, seconds] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number) => String(value).padStart(2, '0');
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** As precise as an estimate can be: `20 s`, `6 min`, `2 h 10 min`. */
export function roughText(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 55) return `${Math.max(10, Math.ceil(seconds / 10) * 10)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${Math.floor((minutes % 60) / 10) * 10} min`;
}
