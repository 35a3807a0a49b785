import { stat } from 'node:fs/promises';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Lock } from '../store/file/lock.ts';
import { adoptState } from '../store/file/adopt-state.ts';
import { notThere } from '../store/file/absent-problem.ts';
import { underLock } from '../store/file/under-lock.ts';
import { type StatePaths, statePaths } from '../store/file/work-folder.ts';
import { realClock } from '../util/clock.ts';
import { isThere } from '../util/is-there.ts';
import { ok } from '../util/result.ts';
import type { ChangeOptions } from '../app/change-state.ts';
import { type Agreed, type Confirmation, withConsent } from '../cli/confirm.ts';
import { type Campaign, loadCampaign } from '../app/load-campaign.ts';
import { openForRun } from '../app/open-for-run.ts';
import { refusal, type Refusal } from '../model/problem.ts';
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
  const places = { from: statePaths(from), to: statePaths(campaign.stateFile) };
  return withConsent(options, output, (agreed) => adoptFile(campaign, places, { options, output, agreed }));
}

interface Adopting {
  readonly options: ChangeOptions;
  readonly output: Output;
  readonly agreed: Agreed;
}

async function adoptFile(
  campaign: Campaign,
  places: Pick<Places, 'from' | 'to'>,
  adopting: Adopting,
): Promise<ExitCode> {
  const { options, output } = adopting;
  if (!(await isThere(places.from.file)))
    return refuse(stateRefusal(notThere(places.from.file), campaign), output);
  if (places.from.file === places.to.file || (await isThere(places.to.file)))
    return refuse(exists(campaign.stateFile), output);
  if (!(await isOneDisk(places))) return refuse(otherDisk(places), output);
  const { lockTimeout: timeoutMs } = options;
  const command = 'campaign state adopt';
  // The lock of a name that nothing has yet.
  const adopted = await underLock({ paths: places.to, timeoutMs, clock: realClock, command }, async (lock) =>
    ok(await adopt(campaign, { ...places, lock }, adopting)),
  );
  return adopted.ok ? adopted.value : refuse(stateRefusal(adopted.error, campaign), output);
}

interface Places {
  readonly from: StatePaths;
  readonly to: StatePaths;
  /** Of the name that it gets. */
  readonly lock: Lock;
}

async function adopt(
  campaign: Campaign,
  { from, to, lock }: Places,
  { options, output, agreed }: Adopting,
): Promise<ExitCode> {
  const { manifest } = campaign;
  const identity = identityOf(manifest);
  const opened = await openForRun(campaign, {
    command: 'state adopt',
    lockTimeoutMs: options.lockTimeout,
    stateFile: from.file,
    allow: ['foreign'],
    beforeRelease: ({ lineage, end, lock: own }) =>
      adoptState({
        from,
        to,
        locks: { from: own, to: lock },
        lineage,
        end,
        owner: { identity, folder: manifest.folder },
        env: process.env,
      }),
  });
  if (!opened.ok) return refuse(opened.error, output);
  const open = opened.value;
  for (const warning of open.warnings) output.progress(`  ! ${warning}\n`);
  const { header, known } = open;
  const at = new Date().toISOString();
  const { campaign: name, environment, baseUrl } = identity;
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
  if (output.mode === 'json') output.json({ state: campaign.stateFile, adopted: from.file, known });
  else {
    const place = `${name}, ${environment}, ${baseUrl}`;
    output.result(
      `${output.style.green('✓')} ${from.file} is now ${campaign.stateFile}, the state of ${place}.\n`,
    );
  }
  return EXIT.ok;

  function questionOf(): Confirmation {
    const before = lock.memory
      ? ` Another state was ${to.file} before: what only that one knows would be paid for again.`
      : '';
    const what =
      `${from.file} knows ${known} nodes and is the state of ${header.campaign}, ${header.environment}, ${header.baseUrl}. It ` +
      `becomes ${to.file}, the state of ${name}, ${environment}, ${baseUrl}, and its nodes are taken for what exists there.${before}`;
    return { what, question: 'Adopt it?' };
  }
}

/** Only there does a rename move it at once, or not at all. */
async function isOneDisk({ from, to }: Pick<Places, 'from' | 'to'>): Promise<boolean> {
  const [here, there] = await Promise.all([stat(from.folder), stat(to.folder)]);
  return here.dev === there.dev;
}

function otherDisk({ from, to }: Pick<Places, 'from' | 'to'>): Refusal {
  const detail =
    `${from.file} lies on another file system than ${to.folder}, so it cannot get its new name in one step. Nothing was ` +
    'changed. Move it to that folder first, with `mv` and under any name, then adopt that file; or leave it there and ' +
    'name it with --state.';
  return refusal(EXIT.cannotWrite, { code: 'other-disk', summary: 'The state lies on another disk', detail });
}

function exists(stateFile: string): Refusal {
  const detail = `${stateFile} is there: it is the state of this manifest and environment. To put another one in its place, move it away first.`;
  return refusal(EXIT.usage, { code: 'state-exists', summary: 'There is a state', detail });
}
