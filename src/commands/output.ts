import type { Diagnostic } from '../model/diagnostic.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { RunEvent } from '../model/run-event.ts';
import { diagnosticText } from '../render/diagnostic-text.ts';
import { createStyle, type Style } from '../render/style.ts';
import { jsonText } from '../util/inert-json.ts';
import { version } from './package-info.ts';
import type { SharedOptions } from './options.ts';

/** A refusal with its exit code: everything that stops a command before or instead of a run. */
export interface Refusal {
  readonly exit: ExitCode;
  readonly diagnostics: readonly Diagnostic[];
}

/** Tells what stands in the way, and gives the exit code that it means. */
export function refuse({ exit, diagnostics }: Refusal, output: Output): ExitCode {
  output.diagnostics(diagnostics);
  return exit;
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
  readonly diagnostics: (diagnostics: readonly Diagnostic[]) => void;
}

export function createOutput(options: SharedOptions): Output {
  const wish = options.color ? 'auto' : 'never';
  const errorStyle = createStyle(process.stderr, wish);
  const mode = options.json ? 'json' : 'text';
  const json = (value: object) => void process.stdout.write(`${jsonText(value)}\n`);
  return {
    mode,
    isQuiet: options.quiet === true,
    style: createStyle(process.stdout, wish),
    errorStyle,
    result: (text) => void (mode === 'text' && process.stdout.write(text)),
    progress: (text) => void process.stderr.write(text),
    event: (event) => {
      if (mode === 'json') json(event);
    },
    json,
    diagnostics(diagnostics) {
      for (const diagnostic of diagnostics) {
        if (mode === 'json') json({ type: 'diagnostic', ...diagnosticJson(diagnostic) });
        else process.stderr.write(`${diagnosticText(diagnostic, errorStyle)}\n`);
      }
    },
  };
}

/** The flat shape that machines get: `{severity, code, summary, detail, file, line, column}`. */
export function diagnosticJson({ position, severity, code, summary, detail }: Diagnostic): object {
  const diagnostic = { severity, code, summary, detail };
  const place = position ? { file: position.file, line: position.line, column: position.column } : {};
  return { ...diagnostic, ...place };
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

/** A refusal without a place in a file. */
export function refusal(
  exit: ExitCode,
  diagnostic: Pick<Diagnostic, 'code' | 'summary' | 'detail'>,
): Refusal {
  return { exit, diagnostics: [{ severity: 'error', ...diagnostic }] };
}
