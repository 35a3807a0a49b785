import { InvalidArgumentError, Option } from 'commander';
import { type NodeKind, otherKinds } from '../model/kinds.ts';
import { isDay } from '../model/period.ts';
import { didYouMean } from '../util/did-you-mean.ts';
import { parseDuration } from '../util/duration.ts';

export const SHARED_GROUP = 'Options of every command that reads a manifest:';

export function flag<T>(flags: string, does?: string, parse?: (text: string, before: T) => T): Option {
  const option = new Option(flags, does);
  return parse ? option.argParser(parse) : option;
}

/** A new one each time, because an option knows the group that it is listed in. */
export const filesFlag = () =>
  flag(
    '--files <url>',
    "where photos and results are kept: s3://bucket/prefix or file:///folder (CAMPAIGN_FILES; default: the manifest's folder)",
  );

export const SHARED: readonly Option[] = [
  flag('--env <name>', 'environment of the manifest, or `emulator` (CAMPAIGN_ENV)'),
  flag(
    '--state <file>',
    'state file, or postgres:// URL (CAMPAIGN_STATE; default: a file beside the manifest)',
  ),
  filesFlag(),
  flag('--var <name=value>', 'set a variable; can be repeated', collect),
  flag('--var-file <file>', 'read variables from a YAML file', collect),
  flag('--allow-outside', "accept photos and results outside the manifest's folder"),
  flag('--json', 'one JSON object a line on standard output'),
  flag('--no-color', 'plain text (NO_COLOR)'),
  flag('--quiet', 'say nothing when nothing changed; else how it ended, and what is left to do'),
  flag('--log-level <level>', 'log to standard error').choices(['debug', 'info', 'warn', 'error']),
].map((option) => option.helpGroup(SHARED_GROUP));

export const PLANNED: readonly Option[] = [
  flag('--only <glob>', 'only what matches, and what it builds on; can be repeated', collect),
  flag('--exclude <glob>', 'without what matches, and what builds on it; can be repeated', collect),
  flag(
    '--replace <glob>',
    'request a finished post again, or all that match (with consent), or `--all`; can be repeated',
    collectReplaced,
  ),
  flag('--retry-failed [glob]', 'request failed posts again, all or those that match'),
  flag('--recreate-missing', 'make again what `refresh` found gone at the service, after one more look'),
  flag('--within-budget', 'request as many posts as fit the budget, new ones first, instead of none'),
  flag('--prune', 'delete at the service what the manifest no longer names'),
  flag(
    '--max-deletes <n>',
    'how many products, concepts and requests --prune may delete (default: 10)',
    whole,
  ),
];

/** Of commands that show a plan. */
export const ALL = flag('--all', 'show every line of the plan, also where many belong together');

/** Of commands about posts that were requested before. */
export const SELECTED: readonly Option[] = [
  flag('--only <glob>', 'only posts whose addresses match; can be repeated', collect),
  flag('--exclude <glob>', 'without posts whose addresses match; can be repeated', collect),
];

export const AT = flag(
  '--at <date>',
  'plan for the periods that this day (2026-11-22) is in, not today',
  day,
);

/** For commands that may run where nobody sees them. */
export const NOTICES: readonly Option[] = [
  flag('--heartbeat <file>', 'write at the end, also of a failure, when it ran and how it ended', notEmpty),
  flag(
    '--notify <command>',
    'run a shell command at the end, with a summary in JSON as its input; can be repeated',
    (text, before?: readonly string[]) => collect(notEmpty(text), before),
  ),
];

export const TRACE = flag('--trace <file>', 'write every request and answer to a HAR file, without secrets');

export const LOCK_TIMEOUT = flag(
  '--lock-timeout <duration>',
  'wait for another run to end',
  duration,
).default(0, '0s');

function day(text: string): string {
  if (isDay(text)) return text;
  throw new InvalidArgumentError('It must be a day of the calendar such as 2026-11-22.');
}

function notEmpty(text: string): string {
  if (text.trim()) return text;
  throw new InvalidArgumentError('It is empty. Is a variable of the shell not set?');
}

/** `--out`, which may be a pipe or a device. */
export function place(text: string): string {
  if (notEmpty(text) !== '-') return text;
  throw new InvalidArgumentError('Name a file: /dev/stdout is standard output, ./- a file of this name.');
}

export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** `--replace --all`: every post. */
function collectReplaced(value: string, before?: readonly string[]): readonly string[] {
  return collect(value === '--all' ? 'media/*' : value, before);
}

/** What `--fail-on` takes. */
export const OPEN_POSTS = ['missing', 'failed', 'pending', 'undecided'];

export function failOn(value: string, before: readonly string[] = []): readonly string[] {
  const named = value.split(',').map((name) => name.trim());
  const wrong = named.find((name) => !OPEN_POSTS.includes(name));
  if (wrong !== undefined) throw new InvalidArgumentError(`${wrong} is none of ${OPEN_POSTS.join(', ')}.`);
  return [...before, ...named];
}

/** Of `--kinds`. */
export function nodeKinds(value: string, before: readonly NodeKind[] = []): readonly NodeKind[] {
  const all = otherKinds([]);
  const named = value.split(',').map((text) => {
    const name = text.trim();
    const kind = all.find((one) => one === name);
    if (kind) return kind;
    throw new InvalidArgumentError(`"${name}" is none of ${all.join(', ')}.${didYouMean(name, all)}`);
  });
  return [...new Set([...before, ...named])];
}

export const positive = wholeNumber({ min: 1, max: Infinity, named: 'a whole number above 0' });
export const port = wholeNumber({ min: 0, max: 65_535, named: 'a port, 0 to 65535' });

function wholeNumber({ min, max, named }: { min: number; max: number; named: string }) {
  return (text: string): number => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new InvalidArgumentError(`It must be ${named}.`);
  };
}

function whole(text: string): number {
  return wholeNumber({ min: 0, max: Infinity, named: 'a whole number' })(text);
}

export function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('It must be a duration such as 30s, 10m or 1h.');
  return ms;
}
