import { stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { checkWritable } from '../doctor/files/folders.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { EXIT } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { fileAdvice } from '../util/code-words.ts';
import { refusal, type Refusal } from '../model/problem.ts';

/** Why the results of a plan could not be put where they belong: it is said before anything is sent for them. */
export async function outputsRefused(
  { folder, outputs }: Manifest,
  { nodes }: Plan,
): Promise<Refusal | undefined> {
  const paths = nodes.flatMap((node) =>
    kindHas(node, 'localFiles', 'writes') && node.action !== 'blocked' ? [node.payload.path] : [],
  );
  if (!outputs || !paths.length) return undefined;
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
