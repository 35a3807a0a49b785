import type { Profile } from '../emulator/profiles/read-profile.ts';
import type { Environment } from '../manifest/manifest.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { ok, type Result } from '../util/result.ts';
import { refusal, type Refusal } from '../model/problem.ts';

/** Loads the code that reads profiles only if `--profile` is given. */
export async function findProfile(
  nameOrFile: string | undefined,
): Promise<Result<Profile | undefined, Refusal>> {
  if (nameOrFile === undefined) return ok(undefined);
  const { loadProfile } = await import('./load-profile.ts');
  return loadProfile(nameOrFile);
}

/** A profile is only for the embedded emulator; another service cannot follow it. */
export function profileElsewhere(
  profile: Profile | undefined,
  { name, baseUrl }: Environment,
): Refusal | undefined {
  if (profile === undefined || baseUrl === EMULATOR) return undefined;
  return refusal(EXIT.usage, {
    code: 'profile-without-emulator',
    summary: 'A profile is for the emulator only',
    detail: `--profile says how the embedded emulator behaves, and the environment ${name} is another service. Take --env emulator, or leave --profile out.`,
  });
}
