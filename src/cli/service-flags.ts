import type { ServiceSettings } from '../app/connect-service.ts';
import { findProfile } from '../app/profile.ts';
import { openTraceFile } from '../app/trace-file.ts';
import type { Refusal } from '../model/problem.ts';
import { ok, type Result } from '../util/result.ts';
import type { ServiceOptions } from './options.ts';
import type { Session } from './session.ts';

/** Runs `work` with what `--profile` and `--trace` name, and ends the trace. */
export async function withService<T>(
  { options, output }: Session<ServiceOptions>,
  work: (service: ServiceSettings) => Promise<T>,
): Promise<Result<T, Refusal>> {
  const profile = await findProfile(options.profile);
  if (!profile.ok) return profile;
  const trace = options.trace === undefined ? ok(undefined) : openTraceFile(options.trace);
  if (!trace.ok) return trace;
  try {
    return ok(await work({ profile: profile.value, trace: trace.value?.add }));
  } finally {
    const problem = trace.value?.close();
    if (problem !== undefined) output.progress(`  ! The trace ends early: ${problem}.\n`);
  }
}
