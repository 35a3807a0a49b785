/** Renames that have to wait, because the disk with the results is not mounted, or this is a clone without them. */
import { parse, resolve } from 'node:path';
import type { Plan } from '../model/plan.ts';
import type { RunState } from '../model/run-state.ts';
import { count } from '../util/count.ts';
import { isThere } from '../util/new-file.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';

/** Files on another disk, or of another clone, keep their names until a run finds them. */
export async function withFilesThatAreHere(
  { emit }: Runtime,
  { campaign, plan, state }: { campaign: Campaign; plan: Plan; state: RunState },
): Promise<Plan> {
  const { folder, outputs } = campaign.manifest;
  const { length } = plan.fileMoves;
  if (!outputs || !length || !(await areOutputsAway(folder, state))) return plan;
  const summary = `No result is in ${outputs.dir} (is a disk missing?): ${count(length, 'file')} not renamed yet`;
  emit({ type: 'warning', summary });
  return { ...plan, fileMoves: [] };
}

/** Files that the state names where campaign may have none: they keep their names, and nobody reads or deletes them. */
export function tellLeftAlone(
  { emit }: Pick<Runtime, 'emit'>,
  { isOwn }: Campaign,
  { media }: RunState,
): void {
  // There may be a million of them: folder, extension and a dot in front decide, so one of each kind is looked at.
  const kinds = new Map<string, boolean>();
  const isOurs = (path: string) => {
    const { dir, base, ext } = parse(path);
    const kind = `${dir}/${base.startsWith('.') ? '.' : ''}*${ext}`;
    const known = kinds.get(kind) ?? isOwn(path);
    kinds.set(kind, known);
    return known;
  };
  const paths = [...media.values()].flatMap(({ takes }) =>
    takes.flatMap(({ files = [] }) => files.map(({ path }) => path)),
  );
  const [first, ...others] = paths.filter((path) => !isOurs(path));
  if (first === undefined) return;
  const more = others.length ? ` and ${count(others.length, 'other')}` : '';
  const summary =
    `The state names files that campaign does not touch: ${first}${more}. They are not below the folder of the manifest ` +
    '(--allow-outside allows that), or have a name that campaign gives no result (.git, .jsonl, .yaml). `campaign outputs --verify` lists them';
  emit({ type: 'warning', summary });
}

/** Renames in the state alone would name no files. */
async function areOutputsAway(folder: string, { media }: RunState): Promise<boolean> {
  const files = [...media.values()].flatMap(({ takes }) => takes.flatMap((take) => take.files ?? []));
  for (const { path } of files) if (await isThere(resolve(folder, path))) return false;
  return true;
}
