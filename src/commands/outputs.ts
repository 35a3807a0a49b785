import { relative, resolve } from 'node:path';
import { lookAtState } from '../app/read-state.ts';
import { type CommandEnd, eachManifest, loadFor, manifestsOf, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import { tableText } from '../render/text-columns.ts';
import { listOutputs } from '../views/list-outputs.ts';

export async function outputs(session: Session): CommandEnd {
  const files = await manifestsOf(session);
  return files.ok ? eachManifest(files.value, session, outputsOne) : files.error;
}

async function outputsOne(file: string, session: Session): CommandEnd {
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
  const names = ['address', 'take', 'type', 'ratio', 'path'];
  const isNoted = rows.some(({ unverified }) => unverified !== undefined);
  session.output.answer(rows, tableText(isNoted ? [...names, 'unverified'] : names, cells));
  return EXIT.ok;
}
