import { EXIT, type ExitCode } from '../model/exit.ts';
import { stateInFile } from '../store/state-in-file.ts';
import type { ChangeOptions } from '../app/change-state.ts';
import { type Agreed, type Confirmation, withConsent } from '../cli/confirm.ts';
import { type Campaign, loadCampaign } from '../app/load-campaign.ts';
import { writingOf } from '../app/open-for-run.ts';
import { createOutput, type Output, refuse } from '../cli/output.ts';
import { identityOf, stateRefusal } from '../app/read-state.ts';
import { recordRun } from '../app/record-run.ts';
import { thenClose } from '../app/then-close.ts';

interface Target {
  readonly file: string;
  /** The state that is to be the manifest's. */
  readonly from: string;
}

/** `campaign state adopt FILE`: a state under another name is bound to this campaign here, and gets the name it should have. */
export async function stateAdopt({ file, from }: Target, options: ChangeOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error, output);
  const campaign = loaded.value;
  return withConsent(options, output, (agreed) => adopt(campaign, from, { options, output, agreed }));
}

interface Adopting {
  readonly options: ChangeOptions;
  readonly output: Output;
  readonly agreed: Agreed;
}

async function adopt(
  campaign: Campaign,
  path: string,
  { options, output, agreed }: Adopting,
): Promise<ExitCode> {
  const { store, manifest } = campaign;
  const file = stateInFile(store);
  if (!file.ok) return refuse(stateRefusal(file.error, campaign), output);
  const run = writingOf(campaign, { command: 'state adopt', lockTimeoutMs: options.lockTimeout });
  const opened = await file.value.adopt(path, run);
  if (!opened.ok) return refuse(stateRefusal(opened.error, campaign), output);
  const open = opened.value;
  for (const warning of open.warnings) output.progress(`  ! ${warning}\n`);
  const { header, known, from, to } = open;
  const at = new Date().toISOString();
  const { campaign: name, environment, baseUrl } = identityOf(manifest);
  let isAdopted = false;
  const { exit } = await thenClose(open, { output }, async () => {
    if (!agreed(questionOf(), open.version)) return { exit: EXIT.refused };
    const isBound =
      header.campaign === name && header.environment === environment && header.baseUrl === baseUrl;
    const bound = { type: 'rebound' as const, at, campaign: name, environment, base_url: baseUrl };
    await recordRun(open.recorder, isBound ? [] : [bound], at);
    isAdopted = true;
    return { exit: EXIT.ok };
  });
  if (!isAdopted || exit !== EXIT.ok) return exit;
  if (output.mode === 'json') output.json({ state: store.name, adopted: from, known });
  else {
    const place = `${name}, ${environment}, ${baseUrl}`;
    output.result(`${output.style.green('✓')} ${from} is now ${store.name}, the state of ${place}.\n`);
  }
  return EXIT.ok;

  function questionOf(): Confirmation {
    const before = open.succeeds
      ? ` Another state was ${to} before: what only that one knows would be paid for again.`
      : '';
    const what =
      `${from} knows ${known} nodes and is the state of ${header.campaign}, ${header.environment}, ${header.baseUrl}. It ` +
      `becomes ${to}, the state of ${name}, ${environment}, ${baseUrl}, and its nodes are taken for what exists there.${before}`;
    return { what, question: 'Adopt it?' };
  }
}
