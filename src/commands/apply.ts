import { EXIT, type ExitCode, outcomeOf, signalOf, strongestExit } from '../model/exit.ts';
import type { NodeCounts, UnverifiedFile } from '../model/run-event.ts';
import { realClock } from '../util/clock.ts';
import { inertText } from '../util/inert-text.ts';
import { ok } from '../util/result.ts';
import { findProfile, profileElsewhere } from '../app/profile.ts';
import { outputsRefused } from '../app/check-outputs.ts';
import { checkTransport } from '../app/check-transport.ts';
import { findApiKey, hostOf } from '../app/connect-service.ts';
import { emulatorDataGone } from '../app/emulator-data.ts';
import { type Failure, failureDiagnostics } from '../render/failure-text.ts';
import { openText, planText } from '../render/plan-text.ts';
import { carryOut, hasWork, type World } from '../app/carry-out.ts';
import type { WritableState } from '../store/store.ts';
import { findManifests } from '../app/find-manifests.ts';
import { leaveOutResults } from '../app/leave-out-results.ts';
import { type Campaign, loadCampaign, namesOf } from '../app/load-campaign.ts';
import type { ApplyOptions } from '../cli/options.ts';
import type { Refusal } from '../model/problem.ts';
import { createOutput, oneManifest, type Output, refuse, singleFlag, versionEvent } from '../cli/output.ts';
import { type Agreement, askBeforehand, decidePlan } from '../app/decide-plan.ts';
import { headline } from './plan.ts';
import { stateRefusal } from '../app/read-state.ts';
import { openForRun } from '../app/open-for-run.ts';
import { NO_NODES } from '../app/run-end.ts';
import { thenClose } from '../app/then-close.ts';
import { tellEnd } from '../cli/tell-end.ts';
import { unendedWarnings } from '../app/unended-run.ts';
import { openTraceFile } from '../app/trace-file.ts';

/** `campaign apply`: manifest → plan → requests → files, resumable at any moment. */
export async function apply(paths: readonly string[], options: ApplyOptions): Promise<ExitCode> {
  const output = createOutput(options);
  output.event(versionEvent());
  const files = await findManifests(paths);
  if (!files.ok) return finish(output, { exit: refuse(files.error, output), counts: NO_NODES });
  const flag = singleFlag(options, files.value);
  if (flag !== undefined)
    return finish(output, { exit: refuse(oneManifest(flag), output), counts: NO_NODES });
  const profile = await findProfile(options.profile);
  if (!profile.ok) return finish(output, { exit: refuse(profile.error, output), counts: NO_NODES });
  const codes: ExitCode[] = [];
  const trace = options.trace === undefined ? ok(undefined) : openTraceFile(options.trace);
  if (!trace.ok) return finish(output, { exit: refuse(trace.error, output), counts: NO_NODES });
  const world = { ...REAL, trace: trace.value?.add, profile: profile.value };
  try {
    for (const file of files.value) {
      const code = await applyOne(file, options, { output: output.about({ manifest: file }), world });
      codes.push(code);
      if (signalOf(code)) break;
    }
  } finally {
    const problem = trace.value?.close();
    if (problem !== undefined) output.progress(`  ! The trace ends early: ${problem}.\n`);
  }
  return strongestExit(codes);
}

/** How one campaign's run ended. */
export interface RunEnd {
  readonly exit: ExitCode;
  readonly counts: NodeCounts;
  readonly failures?: readonly Failure[];
  /** Nothing was done yet: something has to be asked first. */
  readonly isOutdated?: true;
  /** Files that were downloaded and that nobody can say to be whole. */
  readonly unverified?: readonly UnverifiedFile[];
  /** A post that took longer than the manifest allows: somebody may want to give it up. */
  readonly late?: string | undefined;
  /** ISO 8601: when the service wants to be asked again, where it has said so. */
  readonly retryAt?: string | undefined;
}

function finish(output: Output, { exit, counts }: RunEnd): ExitCode {
  output.event({ type: 'run-finished', outcome: outcomeOf(exit), exit_code: exit, nodes: counts });
  return exit;
}

const REAL: World = { clock: realClock, random: Math.random };

interface Place {
  readonly output: Output;
  readonly world: World;
}

/** Applies one manifest, whose path is known to exist. */
export async function applyOne(file: string, options: ApplyOptions, place: Place): Promise<ExitCode> {
  const { output } = place;
  for (;;) {
    const loaded = await loadCampaign(file, options, { need: 'environment', output });
    if (!loaded.ok) return finish(output, { exit: refuse(loaded.error, output), counts: NO_NODES });
    const named = output.about(namesOf(loaded.value));
    const end = await applyCampaign(loaded.value, options, { ...place, output: named });
    // Whoever changed the state meanwhile may have changed the manifest before: over it, an older one would undo that.
    if (!end.isOutdated) return finish(named, end);
  }
}

async function applyCampaign(campaign: Campaign, options: ApplyOptions, place: Place): Promise<RunEnd> {
  const { output, world } = place;
  const refused = (refusal: Refusal): RunEnd => ({ exit: refuse(refusal, output), counts: NO_NODES });
  const { manifest } = campaign;
  output.problems(campaign.warnings);
  const misplaced = profileElsewhere(world.profile, manifest.environment);
  if (misplaced) return refused(misplaced);
  const apiKey = await findApiKey(manifest.environment, process.env);
  if (!apiKey.ok) return refused(apiKey.error);
  const insecure = checkTransport(manifest.environment, process.env);
  if (insecure) return refused(insecure);
  const how = ({ exit }: RunEnd) => (signalOf(exit) ? 'as-it-is' : 'compact');
  const asked = await askBeforehand({ campaign, options, output });
  if (!asked.ok) return refused(asked.error);
  const agreement = asked.value;
  const opened = await openForRun(campaign, { command: 'apply', lockTimeoutMs: options.lockTimeout });
  if (!opened.ok) return refused(opened.error);
  const open = opened.value;
  const end = await thenClose(open, { output, how }, () =>
    runOpened({ campaign, open, apiKey: apiKey.value, agreement }, options, { output, world }),
  );
  if (end.isOutdated && agreement)
    output.progress('\nThe state has changed meanwhile, and with it the plan:\n\n');
  return end;
}

interface Opened {
  readonly campaign: Campaign;
  readonly open: WritableState;
  readonly apiKey: string;
  readonly agreement: Agreement | undefined;
}

async function runOpened(
  { campaign: loaded, open, apiKey, agreement }: Opened,
  options: ApplyOptions,
  { output, world }: { output: Output; world: World },
): Promise<RunEnd> {
  const photos = await leaveOutResults(loaded, open.recorder.state);
  if (!photos.ok) return { exit: refuse(photos.error, output), counts: NO_NODES };
  const campaign = photos.value;
  const { manifest, store } = campaign;
  announce(campaign, open.known, output);
  const warnings = [...open.warnings, ...unendedWarnings(open)];
  for (const warning of warnings) output.event({ type: 'warning', summary: warning });
  if (output.mode === 'text')
    for (const warning of warnings.filter((each) => !agreement?.told.includes(each)))
      output.progress(`  ! ${inertText(warning)}\n`);
  const gone = await emulatorDataGone(campaign, open.state);
  if (gone) return { exit: refuse(gone, output), counts: NO_NODES };
  const decided = await decidePlan({ campaign, open, options, output }, agreement);
  if (!decided.ok) return { exit: refuse(decided.error, output), counts: NO_NODES };
  if (decided.value === 'outdated') return { exit: EXIT.ok, counts: NO_NODES, isOutdated: true };
  const { plan, isShown } = decided.value;
  const placeless = await outputsRefused(manifest, plan);
  if (placeless) return { exit: refuse(placeless, output), counts: NO_NODES };
  const where = { locate: manifest.locate, target: campaign.target };
  if (output.isQuiet) output.result(openText(plan, where, output.style));
  else if (output.mode === 'text' && !isShown) {
    output.result(`${headline({ manifest, store, known: open.known })}\n\n`);
    output.result(planText(plan, where, output.style));
  }
  // A state that cannot be written is known before the first request leaves.
  const unwritable = hasWork(plan) ? await open.begin() : undefined;
  if (unwritable) return { exit: refuse(stateRefusal(unwritable, campaign), output), counts: NO_NODES };
  const end = await carryOut({ campaign, plan, recorder: open.recorder, apiKey, world }, options, output);
  if (output.mode === 'text') {
    output.problems(failureDiagnostics(end.failures ?? [], campaign));
    if (hasWork(plan) || end.exit !== EXIT.ok) tellEnd(end, campaign, output);
  }
  return end;
}

function announce({ manifest, store }: Campaign, known: number, output: Output): void {
  const { name, environment } = manifest;
  output.event({
    type: 'run-started',
    command: 'apply',
    campaign: name,
    environment: environment.name,
    host: hostOf(environment),
    state: store.name,
    known,
  });
}
