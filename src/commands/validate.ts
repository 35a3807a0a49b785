import { commandText } from '../model/command-text.ts';
import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import { findManifests } from '../app/find-manifests.ts';
import { loadCampaign, namesOf } from '../app/load-campaign.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { Refusal } from '../model/problem.ts';
import { createOutput, diagnosticJson, type Output } from '../cli/output.ts';
import { inertText } from '../util/inert-text.ts';
import { count } from '../util/count.ts';

/** `campaign validate`: everything that can be known without a request. */
export async function validate(paths: readonly string[], options: SharedOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const files = await findManifests(paths);
  if (!files.ok) return invalid(files.error, output);
  const codes: ExitCode[] = [];
  const advice = files.value.length === 1 ? 'told' : 'none';
  for (const file of files.value) {
    codes.push(await validateOne(file, options, { output: output.about({ manifest: file }), advice }));
  }
  return strongestExit(codes);
}

interface Validation {
  readonly output: Output;
  /** Whether to say what comes next. */
  readonly advice: 'told' | 'none';
}

async function validateOne(
  file: string,
  options: SharedOptions,
  { output, advice }: Validation,
): Promise<ExitCode> {
  const campaign = await loadCampaign(file, options, { need: 'nothing', output });
  if (!campaign.ok) return invalid(campaign.error, output);
  const { graph, manifest, warnings, target } = campaign.value;
  if (output.mode === 'json') {
    output.about(namesOf(campaign.value)).json({ valid: true, diagnostics: warnings.map(diagnosticJson) });
    return EXIT.ok;
  }
  output.problems(warnings);
  const posts = graph.posts.flatMap(({ items }) => items);
  const { products, concepts } = manifest;
  const sum = `${count(products.length, 'product')}, ${count(concepts.length, 'concept')}, ${count(posts.length, 'post')}`;
  if (output.isQuiet) return EXIT.ok;
  output.result(`${output.style.green('✓')} ${inertText(file)} is valid: ${sum}.\n`);
  if (advice === 'none') return EXIT.ok;
  const next = commandText('plan', target);
  output.result(output.style.dim(`  Next: \`${next}\` shows what apply would do, and sends nothing.\n`));
  return EXIT.ok;
}

function invalid({ exit, problems }: Refusal, output: Output): ExitCode {
  if (output.mode === 'json') output.json({ valid: false, diagnostics: problems.map(diagnosticJson) });
  else output.problems(problems);
  return exit;
}
