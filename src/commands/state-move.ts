import { moveState } from '../app/move-state.ts';
import type { SharedOptions } from '../cli/options.ts';
import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';

interface MoveOptions extends SharedOptions {
  readonly to?: string;
  readonly lockTimeout: number;
}

export async function stateMove(session: Session<MoveOptions>): CommandEnd {
  const { args, options, output, runtime, misuse } = session;
  const { to, state: named, lockTimeout: lockTimeoutMs } = options;
  if (!to) return misuse('error: say where: --to postgres://… or --to FILE');
  const campaign = await loadFor(session, args[0]);
  if (!campaign.ok) return campaign.error;
  const { name: from } = campaign.value.store;
  const moved = await moveState(runtime, campaign.value, { named, to, lockTimeoutMs });
  if (!moved.ok) return moved.error;
  const { records, wasThere, to: state, file } = moved.value;
  const text =
    `${output.style.green('✓')} ${state} has the state ${wasThere ? 'already' : `now, ${records} records`}; ${from} is closed.\n` +
    `  Commit ${file}${file === state ? '' : ', which says so'}.\n`;
  output.answer({ state, moved_from: from, records, file }, text);
  return EXIT.ok;
}
