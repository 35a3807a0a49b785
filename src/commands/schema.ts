import { readFile } from 'node:fs/promises';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { packageFile } from '../app/package-info.ts';

/** `campaign schema`: the JSON Schema of the manifest, for editors. */
export async function schema(): Promise<ExitCode> {
  process.stdout.write(await readFile(packageFile('schemas', 'campaign.schema.json'), 'utf8'));
  return EXIT.ok;
}
