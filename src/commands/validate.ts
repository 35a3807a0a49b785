import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import { findManifests } from './find-manifests.ts';
import { loadCampaign } from './load-campaign.ts';
import type { SharedOptions } from './options.ts';
import { createOutput, diagnosticJson, type Output, type Refusal } from './output.ts';
import { inertText } from '../util/inert-text.ts';

/** `campaign validate`: everything that can be known without a request. */
export async function validate(paths: readonly string[], options: SharedOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const files = await findManifests(paths);
  if (!files.ok) return invalid(files.error, output);
  const codes: ExitCode[] = [];
  for (const file of files.value) codes.push(await validateOne(file, options, output));
  return strongestExit(codes);
}

async function validateOne(file: string, options: SharedOptions, output: Output): Promise<ExitCode> {
  const campaign = await loadCampaign(file, options, { need: 'nothing', output });
  if (!campaign.ok) return invalid(campaign.error, output);
  const { graph, manifest, warnings } = campaign.value;
  if (output.mode === 'json') {
    output.json({ valid: true, diagnostics: warnings.map(diagnosticJson) });
    return EXIT.ok;
  }
  output.diagnostics(warnings);
  const posts = graph.posts.reduce((sum, { items }) => sum + items.length, 0);
  const { products, concepts } = manifest;
  const sum = `${count(products, 'product')}, ${count(concepts, 'concept')}, ${posts} posts`;
  if (!output.isQuiet) output.result(`${output.style.green('✓')} ${inertText(file)} is valid: ${sum}.\n`);
  return EXIT.ok;
}

function invalid({ exit, diagnostics }: Refusal, output: Output): ExitCode {
  if (output.mode === 'json') output.json({ valid: false, diagnostics: diagnostics.map(diagnosticJson) });
  else output.diagnostics(diagnostics);
  return exit;
}

function count(list: readonly unknown[], noun: string): string {
  return `${list.length} ${noun}${list.length === 1 ? '' : 's'}`;
}
