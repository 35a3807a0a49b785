import type { SharedOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { showState } from '../cli/show-state.ts';
import { historyJson, historyText } from '../render/history-text.ts';

interface HistoryOptions extends SharedOptions {
  /** How many runs are shown. */
  readonly last?: number;
}

export function history(session: Session<HistoryOptions>): CommandEnd {
  const { args, options, output } = session;
  return showState(session, args[0], async ({ runs }, store) => {
    const isHeld = output.mode === 'text' && (await store.holder()) !== undefined;
    const shown = runs.slice(-(options.last ?? runs.length));
    output.answer(historyJson(shown), historyText(shown, isHeld, output.columns));
  });
}
