import { lookAtState } from '../app/read-state.ts';
import { loadFor, type Session } from '../cli/session.ts';
import { DEFAULT } from '../cli/target.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { historyJson, historyText } from '../render/history-text.ts';

export async function history(session: Session): Promise<ExitCode | Refusal> {
  const { args, output, runtime } = session;
  const loaded = await loadFor(session, args[0] ?? DEFAULT);
  if (!loaded.ok) return loaded.error;
  const opened = await lookAtState(runtime, loaded.value);
  if (!opened.ok) return opened.error;
  const { runs } = opened.value;
  const isHeld = output.mode === 'text' && (await loaded.value.store.holder()) !== undefined;
  output.answer(historyJson(runs), historyText(runs, isHeld));
  return EXIT.ok;
}
