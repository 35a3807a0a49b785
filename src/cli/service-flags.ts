import type { ServiceSettings } from '../app/connect-service.ts';
import { openTraceFile } from '../app/trace-file.ts';
import type { Profile } from '../emulator/profiles/read-profile.ts';
import type { Environment } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { ok, type Result } from '../util/result.ts';
import type { ServiceOptions } from './options.ts';
import { refuseRun } from './output.ts';
import type { Session } from './session.ts';

/** Runs `work` with what `--profile` and `--trace` name, and ends the trace. */
export async function withService(
  { options, output }: Session<ServiceOptions>,
  work: (service: ServiceSettings) => Promise<ExitCode>,
): Promise<ExitCode> {
  const profile = await findProfile(options.profile);
  if (!profile.ok) return refuseRun(profile.error, output);
  const trace = options.trace === undefined ? ok(undefined) : openTraceFile(options.trace);
  if (!trace.ok) return refuseRun(trace.error, output);
  try {
    return await work({ profile: profile.value, trace: trace.value?.add });
  } finally {
    const problem = trace.value?.close();
    if (problem !== undefined) output.progress(`  ! The trace ends early: ${problem}.\n`);
  }
}

/** Loads the code that reads profiles only if `--profile` is given. */
export async function findProfile(
  nameOrFile: string | undefined,
): Promise<Result<Profile | undefined, Refusal>> {
  if (nameOrFile === undefined) return ok(undefined);
  const { loadProfile } = await import('../app/load-profile.ts');
  return loadProfile(nameOrFile);
}

/** A profile is only for the embedded emulator; another service cannot follow it. */
export function profileElsewhere(
  profile: Profile | undefined,
  { name, baseUrl }: Environment,
): Refusal | undefined {
  if (profile === undefined || baseUrl === EMULATOR) return undefined;
  const detail =
    `--profile says how the embedded emulator behaves, and the environment ${name} is another service. ` +
    'Take --env emulator, or leave --profile out.';
  const summary = 'A profile is for the emulator only';
  return refusal(EXIT.usage, { code: 'profile-without-emulator', summary, detail });
}
