import type { CommandEnd, Session } from '../cli/session.ts';
import { showState } from '../cli/show-state.ts';
import { historyJson } from '../render/history-text.ts';
import { jsonText } from '../util/inert-json.ts';

export function stateExport(session: Session): CommandEnd {
  const { args, output } = session;
  return showState(session, args[0], ({ state, header, seq, runs }) => {
    const document = {
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
      spent_before: Object.fromEntries(state.spending.carried),
      runs: historyJson(runs),
    };
    if (output.mode === 'json') output.json(document);
    else output.data(`${jsonText(document, 2)}\n`, 'json');
  });
}
