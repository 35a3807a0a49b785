import { isJsonObject } from '../util/json.ts';
import type { SentDecision } from '../views/live-data.ts';

/** What a page sends, checked; undefined where it is anything else. */
export function readSentDecisions(body: unknown): readonly SentDecision[] | undefined {
  if (!Array.isArray(body)) return undefined;
  const sent = body.map(readOne);
  return sent.every((one) => one !== undefined) ? sent : undefined;
}

function readOne(value: unknown): SentDecision | undefined {
  if (!isJsonObject(value)) return undefined;
  const { media, decision, seen } = value;
  if (typeof media !== 'string' || (seen !== 'undecided' && !isVerdict(seen))) return undefined;
  if (decision === null) return { media, decision, seen };
  if (!isJsonObject(decision) || !isVerdict(decision['verdict'])) return undefined;
  const { verdict, note = '' } = decision;
  return typeof note === 'string' ? { media, decision: { verdict, note }, seen } : undefined;
}

function isVerdict(value: unknown): value is 'approved' | 'rejected' {
  return value === 'approved' || value === 'rejected';
}
