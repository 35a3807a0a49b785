import type { ExitCode } from '../model/exit.ts';
import type { Finding } from '../model/finding.ts';
import type { FatalProblem } from '../model/problem.ts';

/** A finding before it has the name of its check. */
export type CheckResult = Omit<Finding, 'check'>;

/** One thing to look at; `C` is what it looks at. It sends nothing that costs and leaves nothing behind. */
export interface Check<C> {
  readonly id: string;
  /** Checks that must be free of errors, or this one cannot say anything. */
  readonly needs?: readonly string[];
  look(context: C): CheckResult | Promise<CheckResult>;
}

export function ok(summary: string): CheckResult {
  return { status: 'ok', summary };
}

export function warning(summary: string, action: string): CheckResult {
  return { status: 'warning', summary, action };
}

/** What a run would be refused for as well. */
export function refusal({ exit, summary, detail }: FatalProblem): CheckResult {
  return wrong(exit, summary, detail);
}

/** `exit` is the code with which a run would end. */
export function wrong(exit: ExitCode, summary: string, action: string): CheckResult {
  return { status: 'error', summary, action, exit };
}

export function unknown(summary: string): CheckResult {
  return { status: 'unknown', summary };
}

/** Something that only a run that costs money shows: when that is, and which setting to use if it goes wrong. */
export function notSeen(when: string, setting?: string): CheckResult {
  return unknown(`not seen before the first ${when}${setting === undefined ? '' : ` (${setting})`}`);
}
