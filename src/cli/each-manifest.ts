import { EXIT, type ExitCode, strongestExit } from '../model/exit.ts';
import { findManifests } from '../app/find-manifests.ts';
import type { SharedOptions } from './options.ts';
import { oneManifest, type Output, singleFlag, refuse } from './output.ts';

/** Runs a command over every manifest that the arguments mean, with an output that names it; the strongest exit code wins. */
export async function eachManifest(
  paths: readonly string[],
  { output, options }: { output: Output; options: SharedOptions },
  run: (file: string, output: Output) => Promise<ExitCode>,
): Promise<ExitCode> {
  const files = await findManifests(paths);
  if (!files.ok) return refuse(files.error, output);
  const flag = singleFlag(options, files.value);
  if (flag !== undefined) {
    output.problems(oneManifest(flag).problems);
    return EXIT.usage;
  }
  const codes: ExitCode[] = [];
  for (const file of files.value) codes.push(await run(file, output.about({ manifest: file })));
  return strongestExit(codes);
}
