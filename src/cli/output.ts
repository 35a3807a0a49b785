import { NO_ENVIRONMENT } from '../manifest/environment.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { type ExitCode, outcomeOf } from '../model/exit.ts';
import { NO_NODES } from '../model/node-counts.ts';
import type { Problem, Refusal } from '../model/problem.ts';
import type { RunEvent } from '../model/run-event.ts';
import { diagnosticText } from '../render/diagnostic-text.ts';
import { fitLines } from '../render/fit-lines.ts';
import { type PlanDetail, WHOLE_PAGE } from '../views/plan-outline.ts';
import { createStyle, type Style } from '../render/style.ts';
import { asciiJson, jsonLine } from '../util/inert-json.ts';
import { inertText } from '../util/inert-text.ts';
import { version } from '../app/package-info.ts';
import { everyLineOf } from './every-line.ts';
import type { Listener, Subject, Told } from './listener.ts';
import { inertForRunner, inertJsonForRunner, isOnGithub } from './github.ts';
import type { SharedOptions } from './options.ts';
import { hasUnicode, isCi, legible } from './terminal.ts';

/** The exit code of a command; the problems of a refusal are shown. */
export function tell(end: ExitCode | Refusal, output: Output): ExitCode {
  if (typeof end === 'number') return end;
  output.problems(end.problems);
  return end.exit;
}

/** For a run or an examination, which always ends with an event. */
export function refuseRun(refusal: Refusal, output: Output): ExitCode {
  output.problems(refusal.problems);
  return endRun(refusal.exit, output);
}

export function endRun(exit: ExitCode, output: Output): ExitCode {
  const event = { type: 'run-finished', outcome: outcomeOf(exit), exit_code: exit, nodes: NO_NODES } as const;
  output.hear(event);
  output.event(event);
  return exit;
}

export function namesOf({ name, environment }: Pick<Manifest, 'name' | 'environment'>): Subject {
  return {
    campaign: name,
    ...(environment.name === NO_ENVIRONMENT ? {} : { environment: environment.name }),
  };
}

/** Where a command writes: results to standard output, progress and problems to standard error. */
export interface Output {
  readonly mode: 'text' | 'json';
  readonly isQuiet: boolean;
  readonly style: Style;
  readonly errorStyle: Style;
  /** How wide lines may be; undefined without a terminal. */
  readonly columns: number | undefined;
  readonly errorColumns: number | undefined;
  readonly planDetail: PlanDetail;
  /** The command that shows a plan with every line. */
  readonly everyLine: (verb: string, target: string) => string | undefined;
  readonly result: (text: string) => void;
  /** A result that programs read, and that therefore means the same in every locale. */
  readonly data: (text: string, form: 'json' | 'csv') => void;
  readonly progress: (text: string) => void;
  readonly event: (event: RunEvent) => void;
  readonly json: (value: object) => void;
  /** The result of a command: JSON for programs, text for people. */
  readonly answer: (json: object, text: string) => void;
  readonly problems: (problems: readonly Problem[]) => void;
  /** For what the listeners should know, but nobody is shown. */
  readonly hear: (told: Told) => void;
  readonly heardBy: (listener: Listener) => Output;
  /** `small · production · m.yaml`, as far as it is known. */
  readonly subject: string;
  readonly heads: Heads;
  /** `among`: so many manifests share the lines of a page. */
  readonly about: (subject: Subject, heads?: Heads, among?: number) => Output;
}

/** Where the subject stands: before the problems of a quiet run, or, as one of several, before all problems and in lists. */
export type Heads = 'quiet' | 'always';

interface Hearing {
  readonly heads?: Heads;
  readonly listeners?: readonly Listener[];
  /** Among how many manifests it shares a page. */
  readonly of?: number;
}

/** A plan or a status of fewer lines says too little. */
const FEWEST_LINES = 20;

export function createOutput(
  options: SharedOptions,
  about: Subject = {},
  { heads = 'quiet', listeners = [], of = 1 }: Hearing = {},
): Output {
  // A CI that gives a terminal keeps what is written in a log all the same.
  const wish = options.color && !isCi(process.env) ? 'auto' : 'never';
  const errorStyle = createStyle(process.stderr, wish);
  const mode = options.json ? 'json' : 'text';
  const { manifest, campaign, environment } = about;
  const subject = [campaign, environment, manifest].filter((name) => name !== undefined).join(' · ');
  const named = (value: object) => {
    if (!Array.isArray(value)) return { ...value, ...about };
    // A row of a list says by its own `manifest` from which version of it the file was requested.
    return heads === 'always' ? value.map((row: object) => ({ ...about, ...row })) : value;
  };
  const { words, json: jsonOf, data } = writers(process.env);
  const json = (value: object) => jsonOf(named(value));
  let isHeaded = mode === 'json' || subject === '' || !(options.quiet || heads === 'always');
  const toError = (text: string) => {
    // A mail from cron has to say what it is about.
    if (!isHeaded) words(process.stderr, `${inertText(subject)}\n`);
    isHeaded = true;
    words(process.stderr, text);
  };
  const hear = (told: Told) => {
    for (const listener of listeners) listener(told, about);
  };
  return {
    mode,
    isQuiet: options.quiet === true,
    style: createStyle(process.stdout, wish),
    errorStyle,
    ...roomOf(options, of),
    result: (text) => void (mode === 'text' && words(process.stdout, text)),
    data: (text, form) => void (mode === 'text' && data(text, form)),
    progress: toError,
    event: (event) => {
      if (mode === 'json') json(event);
    },
    json,
    answer: (value, text) => void (mode === 'json' ? json(value) : words(process.stdout, text)),
    problems(problems) {
      for (const problem of problems) {
        if (mode === 'json') json({ type: 'diagnostic', ...diagnosticJson(problem) });
        else toError(`${diagnosticText(problem, errorStyle, columnsOf(process.stderr))}\n`);
      }
      hear({ type: 'problems', problems });
    },
    hear,
    heardBy: (listener) => createOutput(options, about, { heads, of, listeners: [...listeners, listener] }),
    subject,
    heads,
    about: (more, wanted = heads, among = of) =>
      createOutput(options, { ...about, ...more }, { heads: wanted, listeners, of: among }),
  };
}

/** How much of a plan is shown, and how wide. */
function roomOf(
  options: SharedOptions,
  of: number,
): Pick<Output, 'columns' | 'errorColumns' | 'planDetail' | 'everyLine'> {
  return {
    columns: columnsOf(process.stdout),
    errorColumns: columnsOf(process.stderr),
    planDetail: options.all ? 'all' : { lines: Math.max(FEWEST_LINES, Math.floor(WHOLE_PAGE.lines / of)) },
    everyLine: (verb, target) => everyLineOf(verb, target, options),
  };
}

function columnsOf({ isTTY, columns }: NodeJS.WriteStream): number | undefined {
  return isTTY && columns > 0 ? columns : undefined;
}

/** Text as its readers can show it, of which a runner of CI takes nothing for a command. */
function writers(env: NodeJS.ProcessEnv) {
  const [inert, inertJson] = isOnGithub(env) ? [inertForRunner, inertJsonForRunner] : [asItIs, asItIs];
  // With escapes, JSON says the same to whoever parses it.
  const jsonFor = hasUnicode(env) ? asItIs : asciiJson;
  return {
    words: (stream: NodeJS.WriteStream, text: string) =>
      stream.write(inert(fitted(legible(stream, env)(text), text, stream))),
    json: (value: object) => {
      for (const piece of jsonLine(value)) process.stdout.write(inertJson(jsonFor(piece)));
    },
    data: (text: string, form: 'json' | 'csv') =>
      process.stdout.write(inert(form === 'json' ? jsonFor(text) : text)),
  };
}

/** Signs in ASCII may be wider than those for which there was room. */
function fitted(text: string, before: string, stream: NodeJS.WriteStream): string {
  return text === before ? text : fitLines(text, columnsOf(stream));
}

function asItIs(text: string): string {
  return text;
}

/** The flat form in JSON: `{severity, code, summary, detail, file, line, column}`. */
export function diagnosticJson({ position, severity, code, summary, detail }: Problem): object {
  const place = position ? { file: position.file, line: position.line, column: position.column } : {};
  return { severity: severity ?? 'error', code, summary, detail, ...place };
}

export function versionEvent(): RunEvent {
  return { type: 'version', campaign: version, format_version: '1.0' };
}
