import { EXIT, type ExitCode } from '../model/exit.ts';
import type { OpenState } from '../store/store.ts';
import { jsonText } from '../util/inert-json.ts';
import { historyJson } from '../render/history-json.ts';
import { openNamedState } from '../app/named-state.ts';
import type { SharedOptions } from '../cli/options.ts';
import { createOutput, refuse } from '../cli/output.ts';

/** `campaign state export`: the whole state as one JSON document (schemas/state-export.schema.json). */
export async function stateExport(file: string, options: SharedOptions): Promise<ExitCode> {
  const output = createOutput(options);
  const opened = await openNamedState(file, options, output);
  if (!opened.ok) return refuse(opened.error, output);
  const document = exportOf(opened.value);
  if (output.mode === 'json') output.json(document);
  else output.result(`${jsonText(document, 2)}\n`);
  return EXIT.ok;
}

function exportOf({ state, header, seq, runs }: OpenState): object {
  return {
    format_version: '1.0',
    lineage: header?.lineage ?? null,
    seq,
    campaign: header?.campaign ?? null,
    environment: header?.environment ?? null,
    base_url: header?.baseUrl ?? null,
    objects: [...state.objects.values()].map(({ versions, ...object }) => ({
      ...object,
      versions: Object.fromEntries(versions),
    })),
    requests: [...state.requests.values()],
    media: [...state.media.values()],
    learned: Object.fromEntries(state.learned),
    runs: historyJson(runs),
  };
}
