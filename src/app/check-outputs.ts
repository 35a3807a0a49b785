import { stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { checkWritable } from '../doctor/files/folders.ts';
import type { Manifest, Outputs } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { fileAdvice } from '../util/code-words.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { otherOwner, type Owner } from './output-index.ts';

/** Why the results of a plan could not be put in their place, checked before anything is sent for them. */
export async function outputsRefused(
  manifest: Manifest,
  { nodes, fileMoves }: Plan,
  state: RunState,
): Promise<Refusal | undefined> {
  const { folder, outputs } = manifest;
  const paths = nodes.flatMap((node) =>
    kindHas(node, 'localFiles', 'writes') && node.action !== 'blocked' ? [node.payload.path] : [],
  );
  if (!outputs || !(paths.length || fileMoves.length)) return undefined;
  const owner = otherOwner(manifest, state);
  if (owner) return ownedByOther(manifest, outputs, owner);
  if (!paths.length) return undefined;
  const root = join(folder, outputs.dir);
  for (const place of new Set([root, ...paths.map((path) => dirname(join(folder, path)))])) {
    const { existing, code } = await checkWritable(place);
    if (code !== undefined) return cannotWrite(relative(folder, existing) || '.', code);
  }
  const index = join(root, 'index.json');
  const isFolder = await stat(index).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  return isFolder ? cannotWrite(relative(folder, index), 'EISDIR') : undefined;
}

function ownedByOther({ locate }: Manifest, { dir }: Outputs, { campaign, environment }: Owner): Refusal {
  const position = locate('#/outputs/dir');
  const problem = {
    code: 'outputs-of-another',
    summary: 'The output folder has the results of another campaign or environment',
    detail:
      `${join(dir, 'index.json')} lists those of the campaign "${campaign}" in the environment "${environment}". ` +
      'Files of this run would push them aside, so nothing was sent. Give every campaign and environment a folder of ' +
      'its own: leave `outputs.dir` out (out/<name>/<environment>), or write a variable into it that each environment ' +
      'sets. If that is the former name of this campaign or environment, move the index.json away: it is written anew.',
    ...(position ? { position } : {}),
  };
  return { exit: EXIT.invalidManifest, problems: [problem] };
}

function cannotWrite(shown: string, code: string): Refusal {
  return refusal(EXIT.cannotWrite, {
    code: 'cannot-write',
    summary: 'The output cannot be written',
    detail: `${WHY[code] ?? `The system says ${code}`}: ${shown}. Results would have no place, so nothing was sent. ${fileAdvice(code) ?? 'Look at the disk, then run again.'}`,
  });
}

const WHY: Readonly<Partial<Record<string, string>>> = {
  EACCES: 'The folder may not be written to',
  EROFS: 'The disk is read-only',
  ENOTDIR: 'It is no folder',
  EISDIR: 'It is a folder, and a file belongs there',
};
