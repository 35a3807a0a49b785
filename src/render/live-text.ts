import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';
import { count } from '../util/count.ts';
import { groupBy } from '../util/group-by.ts';
import type { LiveRun } from '../views/live-run.ts';
import { problemText, shortAddress, workingWord } from './run-words.ts';
import type { Style } from './style.ts';

export interface Screen {
  readonly columns: number;
  readonly style: Style;
  readonly isUnicode: boolean;
}

/** Numbers stand below each other. */
interface Numbered extends Screen {
  readonly numberCells: number;
}

const LABEL_CELLS = 10;
/** A narrower terminal has room for words or for bars. */
const NARROW = 60;
const BAR_CELLS = 16;

/** The lines of the live block; none is wider than the terminal. */
export function liveLines(run: LiveRun, screen: Screen): string[] {
  const { style } = screen;
  const all = Math.max(run.posts.all, run.requests.all, run.files.all);
  const numbers = { ...screen, numberCells: `${all}/${all}`.length };
  const rows = [
    partRow('posts', run.posts, postsNote(run, style), numbers),
    partRow('requests', run.requests, requestsNote(run, style), numbers),
    ...generatingRows(run, screen),
    filesRow(run, numbers),
    retryingRow(run, style),
    costRow(run),
    ...stoppingRows(run, style),
  ];
  return rows
    .filter((row) => row !== undefined)
    .map((row) => cliTruncate(screen.isUnicode ? row : inAscii(row), screen.columns, truncation(screen)));
}

const ASCII: Readonly<Record<string, string>> = {
  '█': '#',
  '░': '.',
  '·': '-',
  '…': '...',
  '✗': 'x',
  '✓': '+',
  '→': '->',
};

/** For terminals that cannot show more. */
export function inAscii(text: string): string {
  return text.replace(/[█░·…✗✓→]/g, (sign) => ASCII[sign] ?? sign);
}

function truncation({ isUnicode }: Screen) {
  return { truncationCharacter: isUnicode ? '…' : '~' };
}

/** `name  ██████░░░░  96/240  note`; `of`: what the bar is a part of. */
function partRow(
  name: string,
  { done, all, of = all }: { readonly done: number; readonly all: number; readonly of?: number },
  notes: readonly string[],
  screen: Numbered,
): string | undefined {
  if (of === 0) return undefined;
  const numbers = `${done}/${all}`.padStart(screen.numberCells);
  return `${label(name)}${bar(done / of, screen)}${numbers}  ${notes.join(' · ')}`.trimEnd();
}

function label(name: string): string {
  return `  ${name.padEnd(LABEL_CELLS)}`;
}

function bar(part: number, { columns, style }: Screen): string {
  if (columns < NARROW) return '';
  const cells = Math.min(BAR_CELLS, Math.floor(part * BAR_CELLS));
  return `${style.green('█'.repeat(cells))}${style.dim('░'.repeat(BAR_CELLS - cells))}  `;
}

function postsNote({ elapsedMs, posts }: LiveRun, style: Style): string[] {
  const { failed, blocked, putOff, leftMs } = posts;
  return [
    clockText(elapsedMs),
    ...(failed ? [style.red(`${failed} failed`)] : []),
    ...(blocked ? [style.yellow(`${blocked} blocked`)] : []),
    ...(putOff ? [style.yellow(`${putOff} put off`)] : []),
    ...(leftMs === undefined ? [] : [`about ${roughText(leftMs)} left`]),
  ];
}

function requestsNote({ load, requests: { active, failed } }: LiveRun, style: Style): string[] {
  const byWord = groupBy(active, ({ kind, action }) => workingWord(kind, action));
  const working = [...byWord].map(
    ([word, alike]) => `${alike.reduce((sum, { number }) => sum + number, 0)} ${word}`,
  );
  return [
    ...(load.state === 'normal' ? [] : [style.yellow(loadText(load))]),
    ...(failed ? [style.red(`${failed} failed`)] : []),
    ...(working.length ? [working.join(', ')] : []),
  ];
}

function loadText({ state, ms, at_once: atOnce, of }: LiveRun['load']): string {
  if (state === 'outage') return `no answer for ${clockText(ms)}: asked now and then`;
  return `throttled for ${clockText(ms)}: ${atOnce} at once, not ${of}`;
}

function generatingRows({ generating }: LiveRun, screen: Screen): string[] {
  const { style, columns } = screen;
  const { posts, limit, perMinute, usualMs, oldest } = generating;
  if (posts === 0) return [];
  const facts = [
    `${posts} generating${posts >= limit ? ` (limit ${limit})` : ''}`,
    ...(perMinute === undefined ? [] : [`${perMinute} done/min`]),
  ];
  const usually = usualMs === undefined ? '' : style.dim(`   usually ${clockText(usualMs)}`);
  const ages = oldest.map(({ address, ms }, index) => {
    const age = clockText(ms).padStart(8);
    const isLate = usualMs !== undefined && ms > 2 * usualMs;
    const after = index === 0 && columns >= NARROW ? usually : '';
    const cells = columns - LABEL_CELLS - 10 - stringWidth(after);
    // The end of an address says which post it is.
    const name = cliTruncate(shortAddress(address), cells, { ...truncation(screen), position: 'middle' });
    return `${' '.repeat(LABEL_CELLS)}${isLate ? style.yellow(age) : age}  ${name}${after}`;
  });
  const more =
    posts > oldest.length
      ? [style.dim(`${' '.repeat(LABEL_CELLS + 4)}… and ${posts - oldest.length} more`)]
      : [];
  return [`${label('waiting')}${facts.join(', ')}, oldest:`, ...ages, ...more];
}

function filesRow({ files, posts }: LiveRun, screen: Numbered): string | undefined {
  const { done, ready, all, active, failed } = files;
  if (all === 0) return undefined;
  const notes = [
    ...(failed ? [screen.style.red(`${failed} failed`)] : []),
    ...(active ? [`${active} downloading`] : []),
  ];
  return partRow('files', { done, all: Math.max(ready, done), of: Math.max(all, posts.all) }, notes, screen);
}

function retryingRow({ retrying, load }: LiveRun, style: Style): string | undefined {
  if (!retrying || load.state === 'throttled') return undefined;
  const { nodes, problem, ms } = retrying;
  const cause = problemText(problem).replace(/\.$/, '');
  return `${label('retrying')}${style.yellow(`${count(nodes, 'request')} in ${clockText(ms)}: ${cause}`)}`;
}

function costRow({ cost }: LiveRun): string | undefined {
  if (!cost) return undefined;
  const { spent, of, currency } = cost;
  return `${label('cost')}${spent.toFixed(2)} of ${of.toFixed(2)}${currency ? ` ${currency}` : ''}`;
}

function stoppingRows({ stopping }: LiveRun, style: Style): string[] {
  if (!stopping) return [];
  const { awaited, creates, ms } = stopping;
  if (awaited === 0) return [`${label('stopping')}${style.yellow('no create or update is under way')}`];
  const requests = awaited === 1 ? '1 create or update' : `${awaited} creates or updates`;
  const second = creates
    ? 'Ctrl-C again ends now; unanswered creates need `campaign resolve`'
    : 'Ctrl-C again ends now';
  return [
    `${label('stopping')}${style.yellow(`waiting for ${requests}, at most ${clockText(ms)}`)}`,
    `${label('')}${second}`,
  ];
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
