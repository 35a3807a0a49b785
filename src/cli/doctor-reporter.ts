import type { CheckReport } from '../doctor/run-checks.ts';
import { type ExitCode, strongestExit } from '../model/exit.ts';
import type { Finding } from '../model/finding.ts';
import { findingsSum, findingText } from '../render/doctor-text.ts';
import { endRun } from './output.ts';
import type { Session } from './session.ts';

const SLOW_MS = 1_000;

export function createDoctorReporter({ output, runtime }: Session) {
  const { style, isQuiet, mode } = output;
  const findings: Finding[] = [];
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
  let stopTimer = () => {};
  const report: CheckReport = {
    starting(check) {
      if (mode === 'text' && !isQuiet)
        stopTimer = runtime.clock.after(SLOW_MS, () => output.progress(`  … checking ${check}\n`));
    },
    found(finding) {
      stopTimer();
      findings.push(finding);
      const isWrong = finding.status === 'warning' || finding.status === 'error';
      if (mode === 'json') output.json(checkJson(finding));
      else if (!isQuiet || isWrong) output.result(findingText(finding, style, columns));
    },
  };
  return {
    report,
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

function checkJson({ check, status, summary, action }: Finding): object {
  return { type: 'check', check, status, summary, ...(action === undefined ? {} : { action }) };
}
