import { relative, resolve } from 'node:path';
import { lookAtState } from '../app/read-state.ts';
import { eachManifest, type TurnEnd } from '../cli/each-manifest.ts';
import { namesOf } from '../cli/output.ts';
import { type CommandEnd, loadFor, manifestsOf, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { tableText } from '../render/text-columns.ts';
import { listOutputs } from '../views/list-outputs.ts';

export async function outputs(session: Session): CommandEnd {
  const files = await manifestsOf(session);
  if (!files.ok) return files.error;
  return (await eachManifest(files.value, session, { take: outputsOne })).exit_code;
}

async function outputsOne(file: string, session: Session): Promise<Refusal | TurnEnd> {
  const campaign = await loadFor(session, file);
  if (!campaign.ok) return campaign.error;
  const opened = await lookAtState(session.runtime, campaign.value);
  if (!opened.ok) return opened.error;
  const rows = [...listOutputs(opened.value.state)].map((row) => ({
    ...row,
    file: resolve(campaign.value.manifest.folder, row.path),
  }));
  // As it is opened from the current folder; the state has paths relative to the manifest.
  const cells = rows.map(({ address, take, post_type, aspect_ratio, file: path, unverified = [] }) =>
    [address, String(take), post_type, aspect_ratio, relative('', path)].concat(unverified),
  );
  const heads = ['address', 'take', 'type', 'ratio', 'path'];
  const isNoted = rows.some(({ unverified }) => unverified !== undefined);
  const names = namesOf(campaign.value.manifest);
  session.output.about(names).answer(rows, tableText(isNoted ? [...heads, 'unverified'] : heads, cells));
  return { ...names, exit: EXIT.ok };
}
