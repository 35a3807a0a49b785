import { setFlagsFromString } from 'node:v8';
import { endWithoutWork, isStillDone } from '../app/apply-no-changes.ts';
import type { Accounts } from '../app/account.ts';
import type { Campaign } from '../app/campaign.ts';
import type { ServiceSettings } from '../app/connect-service.ts';
import { type Memory, openMemory } from '../app/no-changes.ts';
import { wishesOf } from '../app/plan-wishes.ts';
import type { AppEvent } from '../app/runtime.ts';
import { createApplyConsole } from '../cli/apply-console.ts';
import type { ApplyOptions } from '../cli/options.ts';
import { namesOf, refuseRun, versionEvent } from '../cli/output.ts';
import { chooseRenderer } from '../cli/run-renderer.ts';
import { profileElsewhere, withService } from '../cli/service-flags.ts';
import { accountsOf, eachManifest, load, manifestsOf, type Session, sourceFor } from '../cli/session.ts';
import { stopOnSignals } from '../cli/signals.ts';
import { ownTerminal, type Terminal } from '../cli/terminal.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';

export async function apply(session: Session<ApplyOptions>): Promise<ExitCode> {
  const { output } = session;
  output.event(versionEvent());
  const files = await manifestsOf(session);
  if (!files.ok) return refuseRun(files.error, output);
  const accounts = accountsOf(session, files.value);
  return withService(session, (service) =>
    eachManifest(files.value, session, (file, named) => applyOne(file, named, { service, accounts })),
  );
}

/** `file` is known to exist. */
export async function applyOne(
  file: string,
  session: Session<ApplyOptions>,
  { service, accounts }: { readonly service: ServiceSettings; readonly accounts: Accounts },
): Promise<ExitCode> {
  const { options, runtime, output } = session;
  const source = await sourceFor(session, file);
  if (!source.ok) return refuseRun(source.error, output);
  const folders = options.yes ? 'trust' : 'check';
  const asked = { command: 'apply', wishes: wishesOf(options), folders } as const;
  const memory = openMemory(runtime, source.value, asked);
  const known = options.plan === undefined && !service.profile ? memory.recall() : undefined;
  if (known && (await isStillDone(runtime, known))) {
    const about = session.about(namesOf(known.campaign.manifest));
    about.output.problems(known.warnings);
    const shown = createApplyConsole(about.output, await chooseRenderer(about));
    return endWithoutWork(about.following(shown.follow, service).runtime, known).exit;
  }
  // What a run makes beside its records is garbage. By default V8 lets the heap grow fourfold before it looks for that.
  setFlagsFromString('--heap-growing-percent=25');
  const loaded = await load(memory.watch(runtime), source.value);
  if (!loaded.ok) return refuseRun(loaded.error, output);
  const { manifest, warnings } = loaded.value;
  const about = session.about(namesOf(manifest));
  about.output.problems(warnings);
  const misplaced = profileElsewhere(service.profile, manifest.environment);
  return misplaced
    ? refuseRun(misplaced, about.output)
    : applyLoaded(loaded.value, about, { service, memory, accounts });
}

async function applyLoaded(
  campaign: Campaign,
  about: Session<ApplyOptions>,
  {
    service,
    memory,
    accounts,
  }: { readonly service: ServiceSettings; readonly memory: Memory; readonly accounts: Accounts },
): Promise<ExitCode> {
  const { options, output } = about;
  const { warnings } = campaign;
  const shown = createApplyConsole(output, await chooseRenderer(about));
  let decided: Extract<AppEvent, { type: 'plan-decided' }> | undefined;
  const follow = (event: AppEvent) => {
    // A plan with work is not held while it is carried out.
    if (event.type === 'plan-decided' && event.plan.nodes.isEmpty) decided = event;
    shown.follow(event);
  };
  const { runtime } = about.following(follow, service);
  const terminal = whoIsAsked(about);
  const { applyCampaign } = await import('../app/apply-campaign.ts');
  try {
    const { exit } = await applyCampaign(memory.watch(runtime), campaign, {
      waiting: options.wait ? 'all' : 'submit-only',
      deadlineMs: options.deadline,
      failFast: options.failFast ? 'stop' : 'continue',
      concurrency: options.concurrency,
      wishes: wishesOf(options),
      savedPlan: options.plan,
      consent: options.yes ? 'everything' : terminal ? shown.askAt(terminal) : 'first-requests',
      accounts,
      lockTimeoutMs: options.lockTimeout,
      listen: stopOnSignals,
    });
    // What is left of a budget that several share depends on the states of all.
    const isOwn = accounts.isAlone || !decided?.plan.cost;
    if (exit === EXIT.ok && decided && isOwn && options.plan === undefined)
      await memory.keep({ ...decided, warnings });
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
