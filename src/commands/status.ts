import { lookAtCampaign } from '../app/read-state.ts';
import { placeOf } from '../app/watch-run.ts';
import { eachManifest, type TurnEnd } from '../cli/each-manifest.ts';
import type { SharedOptions } from '../cli/options.ts';
import { namesOf } from '../cli/output.ts';
import { type CommandEnd, loadFor, manifestsOf, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { makePlan } from '../plan/make-plan.ts';
import { statusText } from '../render/status-text.ts';
import { coverageOf } from '../views/coverage.ts';
import { periodNames, settledPeriods } from '../views/settled.ts';
import { headline } from '../cli/show-plan.ts';

type FailOn = 'missing' | 'failed' | 'pending' | 'undecided';

interface StatusOptions extends SharedOptions {
  readonly failOn?: readonly FailOn[];
}

export async function status(session: Session<StatusOptions>): CommandEnd {
  const files = await manifestsOf(session);
  if (!files.ok) return files.error;
  return (await eachManifest(files.value, session, { take: statusOne })).exit_code;
}

async function statusOne(file: string, session: Session<StatusOptions>): Promise<Refusal | TurnEnd> {
  const { options, output, runtime } = session;
  const loaded = await loadFor(session, file);
  if (!loaded.ok) return loaded.error;
  const looked = await lookAtCampaign(runtime, loaded.value);
  if (!looked.ok) return looked.error;
  const { campaign, open } = looked.value;
  const { graph, manifest } = campaign;
  const { state, known } = open;
  const now = runtime.clock.now();
  const { verdicts } = campaign.decisions;
  const plan = makePlan({ graph, state, outputs: manifest.outputs, replacements: 'make', now, verdicts });
  const coverage = coverageOf(graph, state, { plan, verdicts });
  const settled = settledPeriods(graph, state, plan);
  if (output.mode === 'json') {
    const open = coverage.open.map(({ source, ...node }) => ({
      ...node,
      ...placeOf(source, manifest.locate),
    }));
    const periods = periodNames(manifest.periods);
    output.about(namesOf(manifest)).json({ ...coverage, ...(periods && { periods, settled }), open });
  } else if (!output.isQuiet) {
    output.result(
      `${headline(campaign, known)}\n\n${statusText({ ...coverage, settled }, campaign, output.style)}`,
    );
  }
  const paidBefore = settled.reduce((sum, { pending }) => sum + pending, 0);
  const counts = { ...coverage, pending: coverage.pending + paidBefore };
  const fails = (options.failOn ?? []).some((what) => counts[what] > 0);
  return { ...namesOf(manifest), exit: fails ? EXIT.failed : EXIT.ok };
}
