import { lookAtState } from '../app/read-state.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { DEFAULT } from '../cli/target.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { historyJson } from '../render/history-text.ts';
import type { OpenState } from '../store/store.ts';
import { jsonText } from '../util/inert-json.ts';

export async function stateExport(session: Session): Promise<ExitCode | Refusal> {
  const campaign = await loadFor(session, session.args[0] ?? DEFAULT);
  if (!campaign.ok) return campaign.error;
  const opened = await lookAtState(session.runtime, campaign.value);
  if (!opened.ok) return opened.error;
  const document = exportOf(opened.value);
  session.output.answer(document, `${jsonText(document, 2)}\n`);
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
