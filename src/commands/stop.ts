import { type StoppedRun, stopRun } from '../app/stop-run.ts';
import { namesOf } from '../cli/output.ts';
import { type CommandEnd, loadUnread, type Session } from '../cli/session.ts';
import { commandText } from '../model/command-text.ts';
import { EXIT } from '../model/exit.ts';
import { count } from '../util/count.ts';

export async function stop(session: Session): CommandEnd {
  const { args, runtime } = session;
  const loaded = await loadUnread(session, args[0]);
  if (!loaded.ok) return loaded.error;
  const { manifest, store, target } = loaded.value;
  const { output } = session.about(namesOf(manifest));
  const stopped = await stopRun(runtime, loaded.value);
  if (!stopped.ok) return stopped.error;
  const { style } = output;
  const text = stopped.value
    ? `${style.green('✓')} ${wordsOf(stopped.value)} \`${commandText('apply', target)}\` goes on with it.\n`
    : `${store.name}: no run is under way, so there is nothing to stop.\n`;
  output.answer({ stopped: stopped.value !== undefined, ...stopped.value }, text);
  return EXIT.ok;
}

function wordsOf({ run, done, unknown, left }: StoppedRun): string {
  const undecided = unknown > 0 ? `, ${count(unknown, 'node')} without an answer` : '';
  return `Run ${run} has ended: ${count(done, 'node')} done${undecided}, ${left} left.`;
}
