import type { Campaign } from '../app/campaign.ts';
import type { ServiceSettings } from '../app/connect-service.ts';
import { examineCampaign, manifestFindings } from '../app/examine-campaign.ts';
import { findManifests } from '../app/find-manifests.ts';
import { oldestNode } from '../app/package-info.ts';
import { createDoctorReporter } from '../cli/doctor-reporter.ts';
import type { ServiceOptions, SharedOptions } from '../cli/options.ts';
import { versionEvent } from '../cli/output.ts';
import { profileElsewhere, withService } from '../cli/service-flags.ts';
import { targetWords } from '../cli/target.ts';
import { loadFor, oneManifest, type Session } from '../cli/session.ts';
import { DEFAULT_MANIFEST } from '../app/find-manifests.ts';
import { CAMPAIGN_CHECKS, checksFor, MACHINE_CHECKS } from '../doctor/checks.ts';
import { type Found, runChecks, skipped } from '../doctor/run-checks.ts';
import type { ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { err, type Result } from '../util/result.ts';

type DoctorOptions = SharedOptions & ServiceOptions;

/** Sends only what is free, and changes nothing. */
export async function doctor(session: Session<DoctorOptions>): Promise<ExitCode> {
  session.output.event(versionEvent());
  return withService(session, (service) => examine(session, service));
}

async function examine(session: Session<DoctorOptions>, service: ServiceSettings): Promise<ExitCode> {
  const { args, options, runtime } = session;
  const reporter = createDoctorReporter(session);
  const { report } = reporter;
  const found: Found = new Map();
  const machine = { env: runtime.env, nodeVersion: process.versions.node, oldestNode };
  reporter.title(MACHINE_CHECKS.title);
  await runChecks(MACHINE_CHECKS.checks, machine, { found, report });

  reporter.title('Campaign');
  const file = args[0] ?? DEFAULT_MANIFEST;
  const loaded = await loadOne(file, session, service);
  const target = targetWords(file, options);
  const findings = manifestFindings(file, loaded, target);
  for (const finding of findings) found.set(finding.check, { finding, see: finding.check });
  reporter.foundProblems(findings, loaded.ok ? loaded.value.warnings : loaded.error.problems);
  if (!loaded.ok) {
    const left = CAMPAIGN_CHECKS.flatMap(({ checks }) => checks.filter(({ id }) => !found.has(id)));
    reporter.skip(skipped(left, found.has('environment') ? 'environment' : 'manifest'));
    return reporter.end();
  }

  const examination = { machine, found, environment: options.env, target };
  const met = session.following(runtime.emit, service).runtime;
  const context = await examineCampaign(met, loaded.value, examination);
  const { files, store } = loaded.value;
  for (const group of checksFor({ files, state: store.inFile ? 'in a file' : 'in a database' })) {
    reporter.title(group.title);
    await runChecks(group.checks, context, { found, report });
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
