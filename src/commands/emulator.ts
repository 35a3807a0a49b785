import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Profile } from '../emulator/profiles/read-profile.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { inertText } from '../util/inert-text.ts';
import { createOutput, tell } from '../cli/output.ts';
import type { Session } from '../cli/session.ts';
import { findProfile } from '../cli/service-flags.ts';
import { stopOnSignals } from '../cli/signals.ts';

interface ServeOptions {
  readonly port: number;
  readonly data?: string;
  readonly profile?: string;
  readonly seed?: string;
  readonly control?: true;
  readonly json?: true;
}

export async function emulator({ options, runtime }: Session<ServeOptions>): Promise<ExitCode> {
  const profile = await findProfile(options.profile);
  if (!profile.ok) return tell(profile.error, createOutput({ color: true }));
  const { seededRandom, startEmulator } = await import('../emulator/emulator.ts');
  const own = options.data === undefined ? await mkdtemp(join(tmpdir(), 'campaign-emulator-')) : undefined;
  const seed = options.seed ?? profile.value?.seed;
  const stop = stopOnSignals();
  try {
    const running = await startEmulator({
      dataDir: options.data ?? own ?? '',
      port: options.port,
      clock: runtime.clock,
      random: seed === undefined ? runtime.random : seededRandom(seed),
      behaviour: profile.value?.behaviour,
      orders: profile.value?.orders,
      control: options.control ? 'on' : 'off',
      onStray: ({ method, path, hint }) =>
        process.stderr.write(`${inertText(`${method} ${path}`, 200)} is no endpoint. ${hint}\n`),
      onStandIn: (words) => process.stderr.write(`${words}\n`),
    });
    const control = options.control ? new URL('/_control/', running.url).href : undefined;
    if (options.json) process.stdout.write(`${JSON.stringify({ url: running.url, control })}\n`);
    else process.stdout.write(greeting(running.url, { profile: profile.value, control }));
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

function greeting(
  url: string,
  { profile, control }: { profile: Profile | undefined; control: string | undefined },
): string {
  const lines = [
    `The emulator serves ${url}`,
    ...(profile === undefined ? [] : [`Profile: ${inertText(profile.description)}`]),
    ...(control === undefined ? [] : [`Orders:  ${control}orders`]),
  ];
  const example = `CAMPAIGN_BASE_URL=${url} CAMPAIGN_API_KEY=any-text campaign apply campaign.yaml`;
  return `${lines.join('\n')}\n\n  ${example}\n\nCtrl-C ends it.\n`;
}
