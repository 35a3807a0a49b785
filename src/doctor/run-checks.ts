import type { Finding } from '../model/finding.ts';
import { type Check, unknown } from './check.ts';

/** The findings so far, by check. `see` names the check whose failure is the cause of this finding. */
export type Found = Map<string, { readonly finding: Finding; readonly see: string }>;

export interface CheckReport {
  starting(check: string): void;
  found(finding: Finding): void;
}

/** Runs checks in order. A check whose needs are not met is not run, and its finding names the check to look at. */
export async function runChecks<C>(
  checks: readonly Check<C>[],
  context: C,
  { found, report }: { found: Found; report: CheckReport },
): Promise<void> {
  for (const check of checks) {
    const { id, needs = [] } = check;
    const missing = needs.find((need) => isBroken(found, need));
    const see = missing === undefined ? id : (found.get(missing)?.see ?? missing);
    report.starting(id);
    const verdict = missing === undefined ? await check.look(context) : notChecked(see);
    const finding = { check: id, ...verdict };
    found.set(id, { finding, see });
    report.found(finding);
  }
}

export function skipped(checks: readonly { readonly id: string }[], see: string): Finding[] {
  return checks.map(({ id }) => ({ check: id, ...notChecked(see) }));
}

/** Whether a check found an error, or could not run because of one. */
export function isBroken(found: Found, check: string): boolean {
  const entry = found.get(check);
  return entry?.finding.status === 'error' || (entry !== undefined && entry.see !== check);
}

function notChecked(see: string) {
  return unknown(`not checked, see ${see}`);
}
