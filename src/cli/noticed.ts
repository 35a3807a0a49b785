import type { ExitCode } from '../model/exit.ts';
import type { NoticeOptions } from './options.ts';
import type { Session } from './session.ts';

/** Runs a command with `--heartbeat` and `--notify`; their code is loaded where one of them is given. */
export async function noticed<Options extends NoticeOptions>(
  session: Session<Options>,
  work: (session: Session<Options>) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { heartbeat, notify } = session.options;
  if (heartbeat === undefined && notify === undefined) return work(session);
  const { withNotices } = await import('./notices/notices.ts');
  return withNotices(session, work);
}
