import { readFile } from 'node:fs/promises';
import { packageFile } from '../app/package-info.ts';
import type { Session } from '../cli/session.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';

export async function schema({ output }: Session): Promise<ExitCode> {
  output.data(await readFile(packageFile('schemas', 'campaign.schema.json'), 'utf8'), 'json');
  return EXIT.ok;
}
