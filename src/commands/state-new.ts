import { EXIT, type ExitCode } from '../model/exit.ts';
import { moveState } from '../state/move-state.ts';
import type { StateProblem } from '../state/state-problem.ts';
import { realClock } from '../util/clock.ts';
import type { Result } from '../util/result.ts';
import { type ChangeOptions, changeState } from './change-state.ts';
import { confirm } from './confirm.ts';
import { emulatorDataGone } from './emulator-data.ts';
import { type Campaign, loadCampaign } from './load-campaign.ts';
import { createOutput, type Refusal, refusal, refuse } from './output.ts';
import { readState, stateRefusal } from './read-state.ts';
import { recordRun } from './record-run.ts';
import { presentStateFile } from './state-place.ts';

/** What there is in the place of a state, by why it cannot be opened. */
const ANEW: Readonly<Partial<Record<string, (file: string) => string>>> = {
  'state-vanished': (file) => `The state ${file} is gone.`,
  'state-elsewhere': (file) =>
    `There is no ${file}, but a state of this campaign at this service under another name.`,
};

/**
 * `campaign state new`: a state that vanished is to start anew; without a word it never does. A rehearsal's state without
 * the emulator's data is as good as vanished, and costs nothing: it is put aside.
 */
export async function stateNew(file: string, options: ChangeOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error, output);
  const { stateFile } = loaded.value;
  const opened = await readState(loaded.value);
  if (opened.ok && !opened.value.header) return never(stateFile);
  if (opened.ok) {
    const isGone = await emulatorDataGone(loaded.value, opened.value.state);
    if (!isGone) return refuse(exists(stateFile, opened.value.known), output);
    const aside = await putAside(loaded.value, options);
    return aside.ok ? begin() : refuse(stateRefusal(aside.error), output);
  }
  const [problem] = opened.error.diagnostics;
  const what = problem && ANEW[problem.code]?.(stateFile);
  if (what === undefined) return refuse(opened.error, output);
  const declined = await confirm(
    {
      what: `${what} A new one knows nothing: the next apply creates everything again, and pays for it.`,
      question: 'Start anew?',
    },
    options,
  );
  if (declined) return refuse(declined, output);
  return begin();

  function begin(): Promise<ExitCode> {
    return changeState({ file, command: 'state new', allow: ['vanished'] }, options, async ({ open, at }) => {
      await recordRun(open.recorder, [], at);
      if (output.mode === 'json') output.json({ state: stateFile, lineage: open.header.lineage });
      else output.result(`${output.style.green('✓')} ${stateFile} starts anew.\n`);
      return EXIT.ok;
    });
  }

  function never(place: string): ExitCode {
    if (output.mode === 'json') output.json({ state: place, lineage: null });
    else output.result(`There never was a state at ${place}: the first apply begins it.\n`);
    return EXIT.ok;
  }
}

function exists(stateFile: string, known: number): Refusal {
  const detail = `${stateFile} is there and knows ${known} nodes. To start anew, move it away first.`;
  return refusal(EXIT.usage, { code: 'state-exists', summary: 'There is a state', detail });
}

/** The state of a rehearsal that is over, kept beside the new one. */
function putAside(
  campaign: Campaign,
  { lockTimeout: lockTimeoutMs }: ChangeOptions,
): Promise<Result<void, StateProblem>> {
  const at = new Date().toISOString().replaceAll(':', '-');
  return moveState(presentStateFile(campaign), {
    to: `${campaign.stateFile}.before-new-${at}`,
    lockTimeoutMs,
    clock: realClock,
    command: 'campaign state new',
  });
}
