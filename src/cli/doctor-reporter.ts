import type { CheckReport } from '../doctor/run-checks.ts';
import { type ExitCode, strongestExit } from '../model/exit.ts';
import type { Finding } from '../model/finding.ts';
import { findingsSum, findingText } from '../render/doctor-text.ts';
import { endRun } from './output.ts';
import type { Session } from './session.ts';

/** A check that takes longer is named on standard error. */
const SLOW_MS = 1_000;

/** Shows findings, and keeps them for the end. */
export interface DoctorReporter {
  readonly report: CheckReport;
  readonly title: (text: string) => void;
  /** One line for all checks that could not run. */
  readonly skip: (findings: readonly Finding[]) => void;
  /** Ends the output; the strongest error gives the exit code. */
  readonly end: () => ExitCode;
}

export function createDoctorReporter({ output, runtime }: Session): DoctorReporter {
  const { style, isQuiet, mode } = output;
  const findings: Finding[] = [];
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
  let stopTimer = () => {};
  return {
    title(text) {
      if (!isQuiet) output.result(`${findings.length ? '\n' : ''}${style.bold(text)}\n`);
    },
    report: {
      starting(check) {
        if (mode === 'text' && !isQuiet)
          stopTimer = runtime.clock.after(SLOW_MS, () => output.progress(`  … checking ${check}\n`));
      },
      found(finding) {
        stopTimer();
        findings.push(finding);
        if (mode === 'json') output.json(checkJson(finding));
        else if (!isQuiet || isWrong(finding)) output.result(findingText(finding, style, columns));
      },
    },
    skip(skipped) {
      findings.push(...skipped);
      if (mode === 'json') for (const finding of skipped) output.json(checkJson(finding));
      const [first] = skipped;
      if (first && !isQuiet) output.result(`\n${style.dim(`Everything else: ${first.summary}.`)}\n`);
    },
    end() {
      const exit = strongestExit(findings.flatMap(({ exit: code }) => (code === undefined ? [] : [code])));
      if (!isQuiet) output.result(`\n${findingsSum(findings)}\n`);
      return endRun(exit, output);
    },
  };
}

function isWrong({ status }: Finding): boolean {
  return status === 'warning' || status === 'error';
}

function checkJson({ check, status, summary, action }: Finding): object {
  return { type: 'check', check, status, summary, ...(action === undefined ? {} : { action }) };
}
