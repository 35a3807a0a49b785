import { readFile } from 'node:fs/promises';
import { packageFile } from '../app/package-info.ts';
import type { Session } from '../cli/session.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';

export async function completion({ args, output }: Session): Promise<ExitCode> {
  output.result(await readFile(packageFile('completions', `campaign.${args[0]}`), 'utf8'));
  return EXIT.ok;
}
