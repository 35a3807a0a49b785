import { type Problem, type Refusal, refusal } from '../model/problem.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { RunEvent } from '../model/run-event.ts';
import { diagnosticText } from '../render/diagnostic-text.ts';
import { createStyle, type Style } from '../render/style.ts';
import { jsonText } from '../util/inert-json.ts';
import { inertText } from '../util/inert-text.ts';
import { version } from '../app/package-info.ts';
import type { SharedOptions } from './options.ts';

/** Tells what stands in the way, and gives the exit code that it means. */
export function refuse({ exit, problems }: Refusal, output: Output): ExitCode {
  output.problems(problems);
  return exit;
}

/** What a command is about: every line of JSON names it, and so does the head of what a quiet run says. */
export interface Subject {
  /** The manifest's path, as it was given. */
  readonly manifest?: string;
  readonly campaign?: string;
  readonly environment?: string;
}

/** Where a command writes: results to standard output, progress and problems to standard error. */
export interface Output {
  readonly mode: 'text' | 'json';
  readonly isQuiet: boolean;
  /** Styles of standard output and standard error. */
  readonly style: Style;
  readonly errorStyle: Style;
  readonly result: (text: string) => void;
  readonly progress: (text: string) => void;
  /** One line of JSON on standard output, in JSON mode only. */
  readonly event: (event: RunEvent) => void;
  readonly json: (value: object) => void;
  readonly problems: (problems: readonly Problem[]) => void;
  /** `small · production · m.yaml`, as far as it is known. */
  readonly subject: string;
  /** The same places, for what is known by now about what is worked on. */
  readonly about: (subject: Subject) => Output;
}

export function createOutput(options: SharedOptions, about: Subject = {}): Output {
  const wish = options.color ? 'auto' : 'never';
  const errorStyle = createStyle(process.stderr, wish);
  const mode = options.json ? 'json' : 'text';
  const { manifest, campaign, environment } = about;
  const subject = [campaign, environment, manifest].filter((name) => name !== undefined).join(' · ');
  const json = (value: object) => {
    const named = Array.isArray(value) ? value : { ...value, ...about };
    process.stdout.write(`${jsonText(named)}\n`);
  };
  let isHeaded = mode === 'json' || !options.quiet || subject === '';
  const toError = (text: string) => {
    // A mail from cron has to say what it is about.
    if (!isHeaded) process.stderr.write(`${inertText(subject)}\n`);
    isHeaded = true;
    process.stderr.write(text);
  };
  return {
    mode,
    isQuiet: options.quiet === true,
    style: createStyle(process.stdout, wish),
    errorStyle,
    result: (text) => void (mode === 'text' && process.stdout.write(text)),
    progress: toError,
    event: (event) => {
      if (mode === 'json') json(event);
    },
    json,
    problems(problems) {
      for (const problem of problems) {
        if (mode === 'json') json({ type: 'diagnostic', ...diagnosticJson(problem) });
        else toError(`${diagnosticText(problem, errorStyle)}\n`);
      }
    },
    subject,
    about: (more) => createOutput(options, { ...about, ...more }),
  };
}

/** The flat shape that machines get: `{severity, code, summary, detail, file, line, column}`. */
export function diagnosticJson({ position, severity, code, summary, detail }: Problem): object {
  const place = position ? { file: position.file, line: position.line, column: position.column } : {};
  return { severity: severity ?? 'error', code, summary, detail, ...place };
}

/** The first line of JSON output. */
export function versionEvent(): RunEvent {
  return { type: 'version', campaign: version, format_version: '1.0' };
}

/** A flag that names one file cannot stand for several manifests. */
export function oneManifest(flag: string): Refusal {
  const detail = `${flag} belongs to one campaign: name one manifest.`;
  return refusal(EXIT.usage, { code: 'one-manifest', summary: 'Too many manifests', detail });
}

/** The flag that names one file although several manifests were given; undefined when all is well. */
export function singleFlag(
  options: { readonly state?: string; readonly plan?: string; readonly out?: string },
  files: readonly string[],
): string | undefined {
  if (files.length < 2) return undefined;
  if (options.plan !== undefined) return '--plan';
  if (options.out !== undefined) return '--out';
  return options.state || process.env['CAMPAIGN_STATE'] ? '--state' : undefined;
}
