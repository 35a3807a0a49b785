import type { RunSummary } from '../model/run-summary.ts';

/** A run without an end has the outcome null: it was killed, or is still under way. */
export function historyJson(runs: readonly RunSummary[]): object[] {
  return runs.map(({ run, command, version, manifest, startedAt, by, ci, end, decided }) => ({
    run,
    command,
    started_at: startedAt,
    ended_at: end?.at ?? null,
    by: by ?? null,
    ci: ci ?? null,
    version,
    manifest,
    outcome: end?.outcome ?? null,
    exit_code: end?.exitCode ?? null,
    nodes: end?.nodes ?? null,
    decided: decided ?? null,
  }));
}
