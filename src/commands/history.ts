import { EXIT, type ExitCode } from '../model/exit.ts';
import { historyJson } from '../render/history-json.ts';
import { historyText } from '../render/history-text.ts';
import { loadCampaign } from '../app/load-campaign.ts';
import type { SharedOptions } from '../cli/options.ts';
import { createOutput, refuse } from '../cli/output.ts';
import { readState } from '../app/read-state.ts';

/** `campaign history`: every run that changed the state: when, who, what, how it ended. */
export async function history(file: string, options: SharedOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const loaded = await loadCampaign(file, options, { need: 'environment', output });
  if (!loaded.ok) return refuse(loaded.error, output);
  const opened = await readState(loaded.value, output);
  if (!opened.ok) return refuse(opened.error, output);
  const { runs } = opened.value;
  if (output.mode === 'json') output.json(historyJson(runs));
  else {
    const holder = await loaded.value.store.holder();
    output.result(historyText(runs, holder !== undefined));
  }
  return EXIT.ok;
}
