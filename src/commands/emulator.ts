import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { realClock } from '../util/clock.ts';
import { stopOnSignals } from './stop-on-signals.ts';

/** `campaign emulator`: serves the whole service on loopback until a signal comes. */
export async function emulator(options: { port: number; data?: string; json?: true }): Promise<ExitCode> {
  const { startEmulator } = await import('../emulator/emulator.ts');
  const own = options.data === undefined ? await mkdtemp(join(tmpdir(), 'campaign-emulator-')) : undefined;
  const stop = stopOnSignals(() => {});
  try {
    const running = await startEmulator({
      dataDir: options.data ?? own ?? '',
      port: options.port,
      clock: realClock,
      random: Math.random,
    });
    if (options.json) process.stdout.write(`${JSON.stringify({ url: running.url })}\n`);
    else {
      process.stdout.write(
        `The emulator serves ${running.url}\n\n  CAMPAIGN_BASE_URL=${running.url} CAMPAIGN_API_KEY=any campaign apply campaign.yaml\n\nCtrl-C ends it.\n`,
      );
    }
    await new Promise<void>((resolve) => stop.onChange(resolve));
    await running.close();
    return stop.exit === EXIT.sigint ? EXIT.ok : (stop.exit ?? EXIT.ok);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    process.stderr.write(`error: port ${options.port} is in use; choose another one with --port.\n`);
    return EXIT.usage;
  } finally {
    stop.release();
    if (own !== undefined) await rm(own, { recursive: true, force: true });
  }
}
