import { setFlagsFromString } from 'node:v8';
import { endWithoutWork, isStillDone } from '../app/apply-no-changes.ts';
import type { Campaign } from '../app/campaign.ts';
import type { Agreement } from '../app/decide-plan.ts';
import { type Memory, openMemory } from '../app/no-changes.ts';
import type { RunEnd } from '../app/run-end.ts';
import type { PlanWishes } from '../app/plan-wishes.ts';
import type { AppEvent } from '../app/runtime.ts';
import { unreadPlan } from '../app/saved-plan.ts';
import { createApplyConsole, seenOf } from '../cli/apply-console.ts';
import { chosenBy } from '../cli/every-line.ts';
import type { Agreements } from '../cli/ask-for-all.ts';
import { eachRun, type TurnEnd } from '../cli/each-manifest.ts';
import { noticed } from '../cli/noticed.ts';
import type { ApplyOptions } from '../cli/options.ts';
import { endRun, namesOf, refuseRun, versionEvent } from '../cli/output.ts';
import { chooseRenderer } from '../cli/run-renderer.ts';
import { profileElsewhere, withService } from '../cli/service-flags.ts';
import { load, manifestsOf, type Session, sourceFor } from '../cli/session.ts';
import { ownTerminal, type Terminal } from '../cli/terminal.ts';
import { thumbnailsMeanwhile } from '../cli/thumbnails-meanwhile.ts';
import { wishesFor } from '../cli/several-wishes.ts';
import { showHead } from '../cli/show-plan.ts';
import { createWholeApply, type WholeApply } from '../cli/whole-apply.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { ok, type Result } from '../util/result.ts';

export async function apply(session: Session<ApplyOptions>): Promise<ExitCode> {
  if (!session.options.ui) return noticed(session, applyManifests);
  const files = await manifestsOf(session);
  const { openPageBeside } = await import('../cli/page-beside.ts');
  const page = files.ok ? await openPageBeside(session, files.value) : files;
  if (!page.ok) {
    session.output.event(versionEvent());
    return refuseRun(page.error, session.output);
  }
  const exit = await noticed(session, applyManifests);
  await page.value.end(exit);
  return exit;
}

async function applyManifests(session: Session<ApplyOptions>): Promise<ExitCode> {
  const { output } = session;
  output.event(versionEvent());
  const files = await manifestsOf(session);
  if (!files.ok) return refuseRun(files.error, output);
  const wishes = await wishesFor(session, files.value);
  if (!wishes.ok) return refuseRun(wishes.error, output);
  const agreed = await agreedFor(files.value, session, wishes.value);
  if (!agreed.ok) return refuseRun(agreed.error, output);
  return withService(session, async (service) => {
    const asked = { service, wishes: wishes.value, agreed: agreed.value };
    const whole = createWholeApply(files.value, session, asked);
    try {
      const take = (file: string, named: Session<ApplyOptions>) => applyOne(file, named, whole);
      return await eachRun(files.value, session, { take, whyNot: whole.whyNot });
    } finally {
      await whole.close();
    }
  });
}

/** A single manifest asks in its turn. */
async function agreedFor(
  files: readonly string[],
  session: Session<ApplyOptions>,
  wishes: PlanWishes,
): Promise<Result<Agreements, Refusal>> {
  const terminal = files.length > 1 ? whoIsAsked(session) : undefined;
  if (!terminal) return ok(new Map());
  const { askForAll } = await import('../cli/ask-for-all.ts');
  return askForAll(files, session, { wishes, terminal });
}

/** `file` is known to exist. */
export async function applyOne(
  file: string,
  session: Session<ApplyOptions>,
  whole: WholeApply,
): Promise<Refusal | TurnEnd> {
  const { service, wishes, claims } = whole;
  const { options, runtime } = session;
  const source = await sourceFor(session, file);
  if (!source.ok) return source.error;
  const folders = options.yes ? 'trust' : 'check';
  const asked = { command: 'apply', wishes, folders } as const;
  const memory = openMemory(runtime, source.value, asked);
  const known = options.plan === undefined && !service.profile ? memory.recall() : undefined;
  if (known && (await isStillDone(runtime, known))) {
    const names = namesOf(known.campaign.manifest);
    const about = session.about(names);
    const taken = claims.claim(file, known.campaign);
    if (taken) return { ...names, exit: refuseRun(taken, about.output) };
    about.output.problems(known.warnings);
    const shown = createApplyConsole(about.output, await chooseRenderer(about));
    const { exit, counts } = endWithoutWork(about.following(shown.follow, service).runtime, known);
    return { ...names, exit, nodes: counts };
  }
  // What a run makes beside its records is garbage. By default V8 lets the heap grow fourfold before it looks for that.
  setFlagsFromString('--heap-growing-percent=25');
  const loaded = await load(memory.watch(runtime), source.value);
  if (!loaded.ok) return loaded.error;
  const { manifest, warnings } = loaded.value;
  const names = namesOf(manifest);
  const about = session.about(names);
  about.output.problems(warnings);
  const misplaced =
    profileElsewhere(service.profile, manifest.environment) ?? claims.claim(file, loaded.value);
  if (misplaced) return { ...names, exit: refuseRun(misplaced, about.output) };
  // Reading may take long, and a run that is stopped before it begins would still be recorded.
  const why = whole.whyNot([]);
  if (why !== undefined) return { ...names, exit: endRun(why, about.output) };
  const unread = options.plan !== undefined && (await unreadPlan(runtime, options.plan, whole.deadlineMs()));
  if (unread) return { ...names, exit: refuseRun(unread, about.output) };
  const { exit, counts } = await applyLoaded(loaded.value, about, {
    memory,
    whole,
    agreed: whole.agreed?.get(file),
  });
  return { ...names, exit, nodes: counts };
}

interface Turn {
  readonly memory: Memory;
  readonly whole: WholeApply;
  readonly agreed: Agreement | undefined;
}

async function applyLoaded(
  campaign: Campaign,
  about: Session<ApplyOptions>,
  { memory, whole, agreed }: Turn,
): Promise<RunEnd> {
  const { options, output } = about;
  const { accounts, wishes } = whole;
  const { warnings } = campaign;
  const shown = createApplyConsole(output, await chooseRenderer(about));
  const thumbnails = thumbnailsMeanwhile(campaign);
  shown.seen.plan = seenOf(agreed?.answer);
  let decided: Extract<AppEvent, { type: 'plan-decided' }> | undefined;
  const follow = (event: AppEvent) => {
    // A plan with work is not held while it is carried out.
    if (event.type === 'plan-decided' && event.plan.nodes.isEmpty) decided = event;
    if (event.type === 'plan-decided' && agreed && shown.seen.plan !== 'nothing') showHead(event, output);
    shown.follow(event);
    thumbnails.follow(event);
  };
  const { runtime } = about.following(follow, whole.service);
  const terminal = whoIsAsked(about);
  const { applyCampaign } = await import('../app/apply-campaign.ts');
  try {
    const end = await applyCampaign(memory.watch(runtime), campaign, {
      waiting: options.wait ? 'all' : 'submit-only',
      deadlineMs: whole.deadlineMs(),
      failFast: options.failFast ? 'stop' : 'continue',
      concurrency: options.concurrency,
      wishes,
      savedPlan: options.plan,
      consent: options.yes ? 'everything' : terminal ? shown.askAt(terminal) : 'first-requests',
      accounts,
      agreed,
      lockTimeoutMs: options.lockTimeout,
      signal: whole.signal,
      listen: whole.listen,
      shared: await whole.services(),
      selectedBy: chosenBy(options),
      parallel: { detach: options.detach === true, work: options.work },
    });
    // What is left of a budget that several share depends on the states of all.
    const isOwn = accounts.isAlone || !decided?.plan.cost;
    if (end.exit === EXIT.ok && decided && isOwn && options.plan === undefined)
      await memory.keep({ ...decided, warnings });
    return end;
  } finally {
    shown.close();
    await thumbnails.close();
  }
}

/** Nobody is asked where the plan was agreed to beforehand, or where a program reads the output. */
function whoIsAsked({ options, output, runtime }: Session<ApplyOptions>): Terminal | undefined {
  const isAsking = options.plan === undefined && !options.yes && output.mode === 'text' && !output.isQuiet;
  return isAsking ? ownTerminal(runtime.clock) : undefined;
}
