import { join } from 'node:path';
import { EXIT } from '../../model/exit.ts';
import { readPlainFile } from '../../util/new-file.ts';
import { type Check, ok, refusal, warning, wrong } from '../check.ts';
import type { Context } from '../context.ts';

export const state: Check<Context> = {
  id: 'state',
  needs: ['database'],
  look({ opened, store: { name }, emulatorDataGone: gone }) {
    if (!opened.ok) return refusal(opened.error);
    if (gone) return refusal(gone);
    const { header, known, runs, warnings } = opened.value;
    // The summary says what to do.
    if (warnings[0] !== undefined) return { status: 'warning', summary: warnings[0] };
    if (!header) return ok(`${name}: none yet, the first apply makes it`);
    const last = runs.at(-1);
    const when = last ? `, last run ${last.startedAt.slice(0, 16).replace('T', ' ')} UTC` : '';
    return ok(`${name}: intact, ${known} known nodes${when}`);
  },
};

export const lock: Check<Context> = {
  id: 'lock',
  needs: ['database'],
  async look({ store }) {
    const holder = await store.holder();
    if (holder === undefined) return ok('free');
    const action = 'Wait until it has ended, or let the next run wait: --lock-timeout 10m.';
    return wrong(EXIT.locked, `held by ${holder}`, action);
  },
};

export const kernelLock: Check<Context> = {
  id: 'kernel_lock',
  needs: ['state_folder', 'database'],
  async look({ store }) {
    const held = await store.excludesOthers().catch((error: Error) => error);
    if (held === true) return ok('keeps a second run out');
    const why = held === false ? 'does not keep a second run out' : `cannot be used: ${held.message}`;
    const action = store.inFile
      ? 'Keep the state on a local disk (--state): two runs at once would make everything twice.'
      : 'Connect without a pooler in transaction mode: two runs at once would make everything twice.';
    return wrong(EXIT.cannotWrite, why, action);
  },
};

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
