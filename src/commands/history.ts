import type { CommandEnd, Session } from '../cli/session.ts';
import { showState } from '../cli/show-state.ts';
import { historyJson, historyText } from '../render/history-text.ts';

export function history(session: Session): CommandEnd {
  const { args, output } = session;
  return showState(session, args[0], async ({ runs }, store) => {
    const isHeld = output.mode === 'text' && (await store.holder()) !== undefined;
    output.answer(historyJson(runs), historyText(runs, isHeld, output.columns));
  });
}
