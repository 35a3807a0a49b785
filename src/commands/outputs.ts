import { EXIT, type ExitCode } from '../model/exit.ts';
import { type OutputRow, listOutputs } from '../state/list-outputs.ts';
import { tableText } from '../render/table-text.ts';
import { eachManifest } from './each-manifest.ts';
import type { SharedOptions } from './options.ts';
import { createOutput, type Output, refuse } from './output.ts';
import { openNamedState } from './named-state.ts';

/** `campaign outputs`: every finished file and what made it; reads the state only. */
export async function outputs(paths: readonly string[], options: SharedOptions): Promise<ExitCode> {
  const output = createOutput(options);
  return eachManifest(paths, { output, options }, (file) => outputsOne(file, options, output));
}

async function outputsOne(file: string, options: SharedOptions, output: Output): Promise<ExitCode> {
  const opened = await openNamedState(file, options, output);
  if (!opened.ok) return refuse(opened.error, output);
  const rows = listOutputs(opened.value.state);
  if (output.mode === 'json') output.json(rows);
  else output.result(tableText(['address', 'take', 'type', 'ratio', 'path'], rows.map(columns)));
  return EXIT.ok;
}

function columns({ address, take, post_type, aspect_ratio, path }: OutputRow): string[] {
  return [address, String(take), post_type, aspect_ratio, path];
}
