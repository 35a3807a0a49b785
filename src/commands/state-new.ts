import { EMULATOR } from '../model/emulator.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { type ChangeOptions, changeState } from '../app/change-state.ts';
import { confirm } from '../cli/confirm.ts';
import { emulatorDataGone } from '../app/emulator-data.ts';
import { loadCampaign } from '../app/load-campaign.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { createOutput, refuse } from '../cli/output.ts';
import { putRehearsalAside } from '../app/put-rehearsal-aside.ts';
import { readState, stateRefusal } from '../app/read-state.ts';
import { recordRun } from '../app/record-run.ts';

/** What there is in the place of a state, by why it cannot be opened. */
const ANEW: Readonly<Partial<Record<string, (file: string) => string>>> = {
  'state-vanished': (file) => `The state ${file} is gone.`,
  'state-elsewhere': (file) =>
    `There is no ${file}, but a state of this campaign at this service under another name.`,
};

/**
 * `campaign state new`: a state that vanished is to start anew; without a word it never does. A rehearsal's state without
 * the emulator's data is as good as vanished, and costs nothing: both are put aside.
 */
export async function stateNew(file: string, options: ChangeOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error, output);
  const { name: stateFile } = loaded.value.store;
  const opened = await readState(loaded.value);
  if (opened.ok && (await emulatorDataGone(loaded.value, opened.value.state))) {
    const aside = await putRehearsalAside(loaded.value, options);
    return aside.ok ? begin() : refuse(stateRefusal(aside.error, loaded.value), output);
  }
  if (opened.ok)
    return opened.value.header ? refuse(exists(stateFile, opened.value.known), output) : never(stateFile);
  const [problem] = opened.error.problems;
  const what = ANEW[problem?.code ?? '']?.(stateFile);
  if (what === undefined) return refuse(opened.error, output);
  const cost = loaded.value.manifest.environment.baseUrl === EMULATOR ? '' : ', and pays for it';
  const declined = await confirm(
    {
      what: `${what} A new one knows nothing: the next apply creates everything again${cost}.`,
      question: 'Start anew?',
    },
    options,
  );
  if (declined) return refuse(declined, output);
  return begin();

  function begin(): Promise<ExitCode> {
    return changeState({ file, command: 'state new', allow: ['vanished'] }, options, async ({ open, at }) => {
      // Brought back while the question stood.
      if (open.version !== '') return exists(stateFile, open.known);
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
