import { join } from 'node:path';
import { readPlainFile } from '../../util/new-file.ts';
import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';

/** `.campaign/` is for this machine alone; the state beside it is what belongs into git. */
export const gitIgnore: Check<Context> = {
  id: 'git_ignore',
  async look({ workFolder }) {
    const file = join(workFolder, '.gitignore');
    const text = await readPlainFile(file).catch((error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? undefined : '',
    );
    // The file is made together with the folder, at the latest by the first apply.
    if (text === undefined || /^\*\s*$/m.test(text)) return ok('.campaign/ keeps itself out of git');
    return warning(
      '.campaign/.gitignore lets files into git that are for this machine alone',
      `Make \`*\` its only line: ${file}`,
    );
  },
};
