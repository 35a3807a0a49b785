import type { Finding } from '../model/finding.ts';
import { type Check, unknown } from './check.ts';

/** What was found so far, by check; `see` is the check that is at the bottom of what could not be checked. */
export type Found = Map<string, { readonly finding: Finding; readonly see: string }>;

/** How findings leave, one by one; `starting` comes before each check that takes time. */
export interface CheckReport {
  starting(check: string): void;
  found(finding: Finding): void;
}

/** Runs checks in their order; one whose needs are not met is not run, and says which check to look at. */
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

/** Findings of checks that cannot be run at all because of another one. */
export function skipped(checks: readonly { readonly id: string }[], see: string): Finding[] {
  return checks.map(({ id }) => ({ check: id, ...notChecked(see) }));
}

/** Whether a check found an error, or could not look because of one. */
export function isBroken(found: Found, check: string): boolean {
  const entry = found.get(check);
  return entry?.finding.status === 'error' || (entry !== undefined && entry.see !== check);
}

function notChecked(see: string) {
  return unknown(`not checked, see ${see}`);
}
