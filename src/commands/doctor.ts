import type { Campaign } from '../app/campaign.ts';
import type { ServiceSettings } from '../app/connect-service.ts';
import { examineCampaign, manifestFindings } from '../app/examine-campaign.ts';
import { findManifests } from '../app/find-manifests.ts';
import { oldestNode } from '../app/package-info.ts';
import type { ServiceOptions, SharedOptions } from '../cli/options.ts';
import { endRun, refuseRun, versionEvent } from '../cli/output.ts';
import { profileElsewhere, withService } from '../cli/service-flags.ts';
import { loadFor, oneManifest, type Session } from '../cli/session.ts';
import { DEFAULT_MANIFEST } from '../app/find-manifests.ts';
import { CAMPAIGN_CHECKS, MACHINE_CHECKS } from '../doctor/checks.ts';
import { type CheckReport, type Found, runChecks, skipped } from '../doctor/run-checks.ts';
import { type ExitCode, strongestExit } from '../model/exit.ts';
import type { Finding } from '../model/finding.ts';
import type { Refusal } from '../model/problem.ts';
import { findingsSum, findingText } from '../render/doctor-text.ts';
import { err, type Result } from '../util/result.ts';

type DoctorOptions = SharedOptions & ServiceOptions;

/** Sends only what is free, and changes nothing. */
export async function doctor(session: Session<DoctorOptions>): Promise<ExitCode> {
  session.output.event(versionEvent());
  const end = await withService(session, (service) => examine(session, service));
  return end.ok ? end.value : refuseRun(end.error, session.output);
}

async function examine(session: Session<DoctorOptions>, service: ServiceSettings): Promise<ExitCode> {
  const { args, options, runtime } = session;
  const reporter = createReporter(session);
  const { report } = reporter;
  const found: Found = new Map();
  const machine = { env: runtime.env, nodeVersion: process.versions.node, oldestNode };
  reporter.title(MACHINE_CHECKS.title);
  await runChecks(MACHINE_CHECKS.checks, machine, { found, report });

  reporter.title('Campaign');
  const file = args[0] ?? DEFAULT_MANIFEST;
  const loaded = await loadOne(file, session, service);
  for (const finding of manifestFindings(file, loaded)) {
    found.set(finding.check, { finding, see: finding.check });
    report.found(finding);
  }
  if (!loaded.ok) {
    const left = CAMPAIGN_CHECKS.flatMap(({ checks }) => checks.filter(({ id }) => !found.has(id)));
    reporter.skip(skipped(left, found.has('environment') ? 'environment' : 'manifest'));
    return reporter.end();
  }

  const examination = { machine, found, environment: options.env };
  const met = session.following(runtime.emit, service).runtime;
  const { context, close } = await examineCampaign(met, loaded.value, examination);
  try {
    for (const group of CAMPAIGN_CHECKS) {
      reporter.title(group.title);
      await runChecks(group.checks, context, { found, report });
    }
  } finally {
    await close();
  }
  return reporter.end();
}

async function loadOne(
  path: string,
  session: Session,
  { profile }: ServiceSettings,
): Promise<Result<Campaign, Refusal>> {
  const files = await findManifests([path]);
  if (!files.ok) return files;
  const [file = path, ...more] = files.value;
  if (more.length) return err(oneManifest('doctor'));
  const loaded = await loadFor(session, file);
  const misplaced = loaded.ok ? profileElsewhere(profile, loaded.value.manifest.environment) : undefined;
  return misplaced ? err(misplaced) : loaded;
}

const SLOW_MS = 1_000;

function createReporter({ output, runtime }: Session) {
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
