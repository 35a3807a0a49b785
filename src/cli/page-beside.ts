/** `apply --ui`: the live page while a run goes on, and after it until Ctrl-C. It changes nothing about the run. */
import { Worker } from 'node:worker_threads';
import { EXIT, type ExitCode, signalOf } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { deferred } from '../util/deferred.ts';
import { err, ok, type Result } from '../util/result.ts';
import { oneManifest, type Session, sourceFor } from './session.ts';
import { stopOnSignals } from './signals.ts';
import { ownTerminal } from './terminal.ts';

export type ThreadMessage =
  | { readonly type: 'open'; readonly link: string }
  /** The run will say why. */
  | { readonly type: 'refused' }
  | { readonly type: 'closed' };

export interface PageBeside {
  /** Waits for Ctrl-C, unless one ended the run. */
  end(exit: ExitCode): Promise<void>;
}

export async function openPageBeside(
  session: Session,
  files: readonly string[],
): Promise<Result<PageBeside, Refusal>> {
  const { output, runtime } = session;
  if (!ownTerminal(runtime.clock)) return err(NOBODY);
  const [file] = files;
  if (files.length !== 1 || file === undefined) return err(oneManifest('--ui'));
  const source = await sourceFor(session, file);
  if (!source.ok) return source;
  const opened = deferred<string | undefined>();
  const closed = deferred<void>();
  const thread = new Worker(new URL('./ui-thread.js', import.meta.url), { workerData: source.value });
  thread.on('message', (message: ThreadMessage) => {
    if (message.type === 'open') opened.resolve(message.link);
    else opened.resolve(undefined);
  });
  thread.on('error', ({ message }) =>
    output.progress(
      `  ! The page has ended: ${message}. The run goes on; \`campaign ui\` opens another one.\n`,
    ),
  );
  thread.on('exit', () => {
    opened.resolve(undefined);
    closed.resolve();
  });
  const link = await opened.promise;
  if (link !== undefined) output.progress(`The page of this run: ${link}\n\n`);
  return ok({
    async end(exit) {
      if (link !== undefined && signalOf(exit) === undefined) await untilSignal(session, closed.promise);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      thread.postMessage('end');
      await closed.promise;
    },
  });
}

/** The exit code stays that of the run. */
async function untilSignal({ output }: Session, closed: Promise<void>): Promise<void> {
  output.progress('\nThe page stays until Ctrl-C.\n');
  const stop = stopOnSignals();
  await Promise.race([new Promise<void>((resolve) => stop.onChange(resolve)), closed]);
  stop.release();
}

const NOBODY = refusal(EXIT.usage, {
  code: 'no-terminal',
  summary: 'Nobody could open the page',
  detail:
    '--ui shows the run in a browser of this machine, and there is no terminal (or CI is set). Leave it out; `campaign ui` follows the run from a terminal, and `campaign report` writes the page as a file.',
});
