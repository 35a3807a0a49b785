import { expect } from 'vitest';
import type { CliEnd } from '../support/run-cli.ts';

/** One line of `campaign doctor --json`. */
export interface CheckLine {
  readonly type: 'check';
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'error' | 'unknown';
  readonly summary: string;
  readonly action?: string;
}

/** What people read, without what differs from machine to machine and from run to run. */
export function maskedText({ stdout }: CliEnd, service?: { readonly url: string }): string {
  const host = service ? new URL(service.url).host : 'no service';
  return stdout
    .replaceAll(host, '<host>')
    .replace(/Node \d+\.\d+\.\d+/, 'Node <version>')
    .replace(/[\d.]+ GB free/, '<n> GB free')
    .replace(/127\.0\.0\.1:\d+/g, '<address>');
}

/** Standard error without the names of checks that took long on a busy machine. */
export function withoutProgress({ stderr }: CliEnd): string {
  return stderr.replace(/^ {2}… checking \w+\n/gm, '');
}

/** The checks of `--json` by name; the first and the last line are checked on the way. */
export function checksOf({ code, stdout }: CliEnd): ReadonlyMap<string, CheckLine> {
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as CheckLine & { type: string });
  expect(lines[0]).toMatchObject({ type: 'version' });
  expect(lines.at(-1)).toMatchObject({ type: 'run-finished', exit_code: code });
  return new Map(lines.slice(1, -1).map((line) => [line.check, line]));
}
