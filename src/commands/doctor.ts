import { CAMPAIGN_CHECKS, MACHINE_CHECKS } from '../doctor/checks.ts';
import type { Machine } from '../doctor/context.ts';
import { type Found, runChecks, skipped } from '../doctor/run-checks.ts';
import { type ExitCode, outcomeOf } from '../model/exit.ts';
import { ok } from '../util/result.ts';
import { loadOneCampaign, manifestFindings } from '../app/doctor-manifest.ts';
import { createDoctorReporter } from '../cli/doctor-reporter.ts';
import { examineCampaign, type ServiceOptions } from '../app/examine-campaign.ts';
import { findProfile } from '../app/profile.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { Refusal } from '../model/problem.ts';
import { createOutput, type Output, versionEvent } from '../cli/output.ts';
import { oldestNode } from '../app/package-info.ts';
import { NO_NODES } from '../app/run-end.ts';
import { openTraceFile } from '../app/trace-file.ts';

export interface DoctorOptions extends SharedOptions {
  /** Name or file of a profile for the embedded emulator. */
  readonly profile?: string;
  /** A HAR file to write. */
  readonly trace?: string;
}

/** `campaign doctor`: what a run needs, looked at one by one; sends only what is free and changes nothing. */
export async function doctor(file: string, options: DoctorOptions): Promise<ExitCode> {
  const output = createOutput(options);
  output.event(versionEvent());
  const profile = await findProfile(options.profile);
  if (!profile.ok) return refuse(profile.error, output);
  const trace = options.trace === undefined ? ok(undefined) : openTraceFile(options.trace);
  if (!trace.ok) return refuse(trace.error, output);
  try {
    return await lookAtAll(file, { options, output, trace: trace.value?.add, profile: profile.value });
  } finally {
    const problem = trace.value?.close();
    if (problem !== undefined) output.progress(`  ! The trace ends early: ${problem}.\n`);
  }
}

function refuse({ exit, problems }: Refusal, output: Output): ExitCode {
  output.problems(problems);
  output.event({ type: 'run-finished', outcome: outcomeOf(exit), exit_code: exit, nodes: NO_NODES });
  return exit;
}

async function lookAtAll(
  file: string,
  { options, output, ...service }: ServiceOptions & { options: DoctorOptions; output: Output },
): Promise<ExitCode> {
  const { report, title, skip, end } = createDoctorReporter(output);
  const found: Found = new Map();
  const machine: Machine = { env: process.env, nodeVersion: process.versions.node, oldestNode };
  title(MACHINE_CHECKS.title);
  await runChecks(MACHINE_CHECKS.checks, machine, { found, report });

  title('Campaign');
  const loaded = await loadOneCampaign(file, options, { output, profile: service.profile });
  for (const finding of manifestFindings(file, loaded)) {
    found.set(finding.check, { finding, see: finding.check });
    report.found(finding);
  }
  if (!loaded.ok) {
    const left = CAMPAIGN_CHECKS.flatMap(({ checks }) => checks.filter(({ id }) => !found.has(id)));
    skip(skipped(left, found.has('environment') ? 'environment' : 'manifest'));
    return end();
  }

  const { context, close } = await examineCampaign(loaded.value, { machine, options, found, ...service });
  try {
    for (const group of CAMPAIGN_CHECKS) {
      title(group.title);
      await runChecks(group.checks, context, { found, report });
    }
  } finally {
    await close();
  }
  return end();
}
