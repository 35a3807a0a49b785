import { setFlagsFromString } from 'node:v8';
import { applyCampaign } from '../app/apply-campaign.ts';
import type { ServiceSettings } from '../app/connect-service.ts';
import { wishesOf } from '../app/plan-campaign.ts';
import { createApplyConsole } from '../cli/apply-console.ts';
import type { ApplyOptions } from '../cli/options.ts';
import { namesOf, refuseRun, versionEvent } from '../cli/output.ts';
import { chooseRenderer } from '../cli/run-renderer.ts';
import { profileElsewhere, withService } from '../cli/service-flags.ts';
import { eachManifest, loadFor, manifestsOf, type Session } from '../cli/session.ts';
import { stopOnSignals } from '../cli/signals.ts';
import { ownTerminal, type Terminal } from '../cli/terminal.ts';
import type { ExitCode } from '../model/exit.ts';

export async function apply(session: Session<ApplyOptions>): Promise<ExitCode> {
  const { output } = session;
  // What a run makes beside its records is garbage. By default V8 lets the heap grow fourfold before it looks for that.
  setFlagsFromString('--heap-growing-percent=40');
  output.event(versionEvent());
  const files = await manifestsOf(session);
  if (!files.ok) return refuseRun(files.error, output);
  return withService(session, (service) =>
    eachManifest(files.value, session, (file, named) => applyOne(file, named, service)),
  );
}

/** `file` is known to exist. */
export async function applyOne(
  file: string,
  session: Session<ApplyOptions>,
  service: ServiceSettings,
): Promise<ExitCode> {
  const loaded = await loadFor(session, file);
  if (!loaded.ok) return refuseRun(loaded.error, session.output);
  const { manifest, warnings } = loaded.value;
  const about = session.about(namesOf(manifest));
  const { options, output } = about;
  output.problems(warnings);
  const misplaced = profileElsewhere(service.profile, manifest.environment);
  if (misplaced) return refuseRun(misplaced, output);
  const shown = createApplyConsole(output, await chooseRenderer(about));
  const { runtime } = about.following(shown.follow, service);
  const terminal = whoIsAsked(about);
  try {
    const { exit } = await applyCampaign(runtime, loaded.value, {
      waiting: options.wait ? 'all' : 'submit-only',
      deadlineMs: options.deadline,
      failFast: options.failFast ? 'stop' : 'continue',
      concurrency: options.concurrency,
      wishes: wishesOf(options),
      savedPlan: options.plan,
      consent: options.yes ? 'everything' : terminal ? shown.askAt(terminal) : 'first-requests',
      lockTimeoutMs: options.lockTimeout,
      listen: stopOnSignals,
    });
    return exit;
  } finally {
    shown.close();
  }
}

/** Nobody is asked where the plan was agreed to beforehand, or where a program reads the output. */
function whoIsAsked({ options, output, runtime }: Session<ApplyOptions>): Terminal | undefined {
  const isAsking = options.plan === undefined && !options.yes && output.mode === 'text' && !output.isQuiet;
  return isAsking ? ownTerminal(runtime.clock) : undefined;
}
