import type { CheckReport } from '../doctor/run-checks.ts';
import { type ExitCode, strongestExit } from '../model/exit.ts';
import type { Finding } from '../model/finding.ts';
import type { Problem } from '../model/problem.ts';
import { findingsSum, findingText } from '../render/doctor-text.ts';
import { endRun } from './output.ts';
import type { Session } from './session.ts';

const SLOW_MS = 1_000;

export function createDoctorReporter({ output, runtime }: Session) {
  const { style, isQuiet, mode, columns } = output;
  const findings: Finding[] = [];
  // On a terminal it is wiped once the check has ended; elsewhere it is a line of its own.
  const [shown, wiped] = output.errorColumns === undefined ? ['\n', ''] : ['', '\r\u001B[K'];
  let stopTimer = () => {};
  const tellSlow = (check: string) => {
    output.progress(`  … checking ${check}${shown}`);
    stopTimer = () => wiped && output.progress(wiped);
  };
  const show = (finding: Finding) => {
    stopTimer();
    stopTimer = () => {};
    findings.push(finding);
    if (mode === 'json') output.json(checkJson(finding));
    else if (!isQuiet || isWrong(finding)) output.result(findingText(finding, style, columns));
  };
  const report: CheckReport = {
    starting(check) {
      if (mode === 'text' && !isQuiet) stopTimer = runtime.clock.after(SLOW_MS, () => tellSlow(check));
    },
    found(finding) {
      show(finding);
      if (isWrong(finding)) output.hear({ type: 'problems', problems: [problemOf(finding)] });
    },
  };
  return {
    report,
    /** Of findings that say the same as `problems`, which have their places in the manifest. */
    foundProblems(found: readonly Finding[], problems: readonly Problem[]) {
      for (const finding of found) show(finding);
      output.hear({ type: 'problems', problems });
    },
    title(text: string) {
      if (!isQuiet) output.result(`${findings.length ? '\n' : ''}${style.bold(text)}\n`);
    },
    skip(skipped: readonly Finding[]) {
      findings.push(...skipped);
      if (mode === 'json') for (const finding of skipped) output.json(checkJson(finding));
      const [first] = skipped;
      if (first && !isQuiet) output.result(`\n${style.dim(`Everything else: ${first.summary}.`)}\n`);
    },
    /** The strongest error gives the exit code. */
    end(): ExitCode {
      const exit = strongestExit(findings.flatMap(({ exit: code }) => (code === undefined ? [] : [code])));
      if (!isQuiet) output.result(`\n${findingsSum(findings)}\n`);
      return endRun(exit, output);
    },
  };
}

function isWrong({ status }: Finding): boolean {
  return status === 'warning' || status === 'error';
}

function problemOf({ check, status, summary, action }: Finding): Problem {
  return {
    code: check,
    summary: `${check}: ${summary}`,
    ...(status === 'warning' && { severity: 'warning' }),
    ...(action !== undefined && { detail: action }),
  };
}

function checkJson({ check, status, summary, action }: Finding): object {
  return { type: 'check', check, status, summary, ...(action === undefined ? {} : { action }) };
}
