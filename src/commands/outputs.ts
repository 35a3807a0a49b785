import { relative, resolve } from 'node:path';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { type OutputRow, listOutputs } from '../views/list-outputs.ts';
import { tableText } from '../render/table-text.ts';
import { eachManifest } from '../cli/each-manifest.ts';
import { loadCampaign } from '../app/load-campaign.ts';
import type { SharedOptions } from '../cli/options.ts';
import { createOutput, type Output, refuse } from '../cli/output.ts';
import { readState } from '../app/read-state.ts';

/** `campaign outputs`: every finished file and what made it; reads the state only. */
export async function outputs(paths: readonly string[], options: SharedOptions): Promise<ExitCode> {
  const output = createOutput(options);
  return eachManifest(paths, { output, options }, (file, named) => outputsOne(file, options, named));
}

async function outputsOne(file: string, options: SharedOptions, output: Output): Promise<ExitCode> {
  const campaign = await loadCampaign(file, options, { need: 'environment', output });
  if (!campaign.ok) return refuse(campaign.error, output);
  const opened = await readState(campaign.value, output);
  if (!opened.ok) return refuse(opened.error, output);
  const rows = listOutputs(opened.value.state);
  const fileOf = ({ path }: OutputRow) => resolve(campaign.value.manifest.folder, path);
  if (output.mode === 'json') output.json(rows.map((row) => ({ ...row, file: fileOf(row) })));
  else {
    // As it is opened from here: the state's path begins at the manifest.
    const cells = rows.map((row) => columns(row, relative('', fileOf(row))));
    const names = ['address', 'take', 'type', 'ratio', 'path'];
    const isNoted = rows.some(({ unverified }) => unverified !== undefined);
    output.result(tableText(isNoted ? [...names, 'unverified'] : names, cells));
  }
  return EXIT.ok;
}

function columns({ address, take, post_type, aspect_ratio, unverified }: OutputRow, path: string): string[] {
  const row = [address, String(take), post_type, aspect_ratio, path];
  return unverified === undefined ? row : [...row, unverified];
}
