import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Locate } from '../model/source.ts';
import { makePlan } from '../plan/make-plan.ts';
import { type Coverage, statusOf, statusText } from '../render/status-text.ts';
import { eachManifest } from '../cli/each-manifest.ts';
import { leaveOutResults } from '../app/leave-out-results.ts';
import { loadCampaign, namesOf } from '../app/load-campaign.ts';
import type { SharedOptions } from '../cli/options.ts';
import { createOutput, type Output, refuse } from '../cli/output.ts';
import { headline } from './plan.ts';
import { readState } from '../app/read-state.ts';
import { tellUnendedRun } from '../app/unended-run.ts';
import { placeOf } from '../app/run-failures.ts';

type FailOn = 'missing' | 'failed' | 'pending';

/** `campaign status`: coverage and what is open; reads the state only. */
export async function status(
  paths: readonly string[],
  options: SharedOptions & { failOn?: readonly FailOn[] },
): Promise<ExitCode> {
  const output = createOutput(options);
  return eachManifest(paths, { output, options }, (file, named) => statusOne(file, options, named));
}

async function statusOne(
  file: string,
  options: SharedOptions & { failOn?: readonly FailOn[] },
  output: Output,
): Promise<ExitCode> {
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error, output);
  const opened = await readState(loaded.value, output);
  if (!opened.ok) return refuse(opened.error, output);
  const campaign = await leaveOutResults(loaded.value, opened.value.state);
  if (!campaign.ok) return refuse(campaign.error, output);
  const { graph, manifest, store } = campaign.value;
  await tellUnendedRun(opened.value, { store, output });
  const { state, known } = opened.value;
  const plan = makePlan({ graph, state, outputs: manifest.outputs, replacements: 'make', now: Date.now() });
  const coverage = statusOf(graph, state, plan);
  if (output.mode === 'json')
    output
      .about(namesOf(campaign.value))
      .json({ ...coverage, open: coverage.open.map((node) => placed(node, manifest.locate)) });
  else if (!output.isQuiet) {
    output.result(
      `${headline({ manifest, store, known })}\n\n${statusText(coverage, campaign.value, output.style)}`,
    );
  }
  const fails = (options.failOn ?? []).some((what) => coverage[what] > 0);
  return fails ? EXIT.failed : EXIT.ok;
}

/** An open node as machines get it: with its place in the manifest. */
function placed({ source, ...node }: Coverage['open'][number], locate: Locate): object {
  return { ...node, ...placeOf(source, locate) };
}
