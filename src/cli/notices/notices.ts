/**
 * What a command does for those who do not sit in front of it: at its end, however that comes, it writes the file of
 * `--heartbeat`, then runs the command of `--notify`. Neither changes the exit code, which says what became of the posts.
 */
import { fileProblem } from '../../app/disk-problem.ts';
import { findManifests } from '../../app/find-manifests.ts';
import { EXIT, type ExitCode } from '../../model/exit.ts';
import { jsonText } from '../../util/inert-json.ts';
import { inertText } from '../../util/inert-text.ts';
import type { NoticeOptions } from '../options.ts';
import type { Session } from '../session.ts';
import { dieOf, listenAlone } from '../signals.ts';
import { cleanVariables } from './clean-variables.ts';
import { collectRuns } from './collect-runs.ts';
import { writeHeartbeat } from './heartbeat.ts';
import { type Notified, runNotify } from './run-notify.ts';
import { type CommandEnded, heartbeatJson, notificationJson, variablesOf } from './summary.ts';

export async function withNotices<Options extends NoticeOptions>(
  session: Session<Options>,
  work: (session: Session<Options>) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { options, runtime, output } = session;
  const startedAt = runtime.clock.now();
  const environment = options.env ?? runtime.env['CAMPAIGN_ENV'];
  const collected = collectRuns(runtime.clock, environment ? { environment } : {});
  const endedWith = (exit: ExitCode): CommandEnded => ({
    exit,
    startedAt,
    finishedAt: runtime.clock.now(),
    runs: collected.runs(),
  });
  const warn = (flag: string, why: string | undefined) => {
    if (why !== undefined) output.progress(`  ! ${flag}: ${inertText(why)}.\n`);
  };
  const beat = (ended: CommandEnded) => {
    const { heartbeat: file } = options;
    if (file === undefined) return;
    const why = writeHeartbeat(file, `${jsonText(heartbeatJson(ended))}\n`);
    warn('--heartbeat', why && `${file} is not written: ${why}`);
  };
  let notified: Notified | undefined;
  // While a run goes on, it listens itself, and ends in order.
  const signals = listenAlone((code) => {
    if (notified) return notified.stop('it was stopped by a signal');
    beat(endedWith(code));
    dieOf(code);
  });
  const finish = async (exit: ExitCode) => {
    const ended = endedWith(exit);
    beat(ended);
    const { notify: commands = [] } = options;
    // After a second signal the process is about to be ended, and would leave the command behind.
    if (!commands.length || signals.times > 1) return;
    const found = await findManifests(session.args);
    const manifests = found.ok ? found.value : session.args;
    const storage = typeof options.files === 'string' ? options.files : runtime.env['CAMPAIGN_FILES'];
    const clean = await cleanVariables(runtime.env, manifests, { ...collected, storage });
    const input = `${jsonText(notificationJson(ended))}\n`;
    const env = { ...clean, ...variablesOf(ended) };
    for (const command of commands) {
      notified = runNotify(command, { input, env, clock: runtime.clock });
      warn('--notify', await notified.end);
    }
  };
  try {
    const exit = await work(session.heardBy(collected.hear)).catch(async (error: unknown) => {
      await finish(fileProblem(error) ? EXIT.cannotWrite : EXIT.bug);
      throw error;
    });
    await finish(exit);
    return exit;
  } finally {
    signals.release();
  }
}
