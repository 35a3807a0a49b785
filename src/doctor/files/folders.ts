import { join, resolve } from 'node:path';
import { EXIT } from '../../model/exit.ts';
import { type Check, ok, wrong } from '../check.ts';
import type { Context } from '../context.ts';
import { checkWritable } from './writable.ts';

export const stateFolder: Check<Context> = {
  id: 'state_folder',
  async look({ stateFolder: folder }) {
    const { code } = await checkWritable(resolve(folder));
    if (code === undefined) return ok(`${folder} can be written to`);
    return wrong(
      EXIT.cannotWrite,
      `${folder} cannot be written to (${code})`,
      'Check the folder and its owner, or name another file with --state.',
    );
  },
};

export const outputFolder: Check<Context> = {
  id: 'output_folder',
  async look({ manifest: { outputs, folder } }) {
    if (!outputs) return ok('outputs: false, nothing is downloaded');
    const { existing, code } = await checkWritable(join(folder, outputs.dir));
    if (code === undefined) return ok(`${outputs.dir} can be written to`);
    return wrong(
      EXIT.cannotWrite,
      `${outputs.dir} cannot be made or written to: ${existing} (${code})`,
      'Check the folder and its owner, or set outputs.dir.',
    );
  },
};
