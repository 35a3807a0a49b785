/** Why something went wrong, in one sentence. */
import { GENERATION_FAILED, type Problem } from '../model/problem.ts';
import { inertText } from '../util/inert-text.ts';

type Cause = Pick<Problem, 'summary' | 'detail'>;

export function problemText(problem: Cause): string {
  const detail = detailText(problem);
  return inertText(detail ? `${problem.summary}: ${detail}` : problem.summary);
}

/** As it stands behind the word `failed`, which a generation that failed does not repeat. */
export function causeText(problem: Cause): string {
  if (problem.summary !== GENERATION_FAILED) return problemText(problem);
  return inertText(detailText(problem)) || 'the service gives no cause';
}

/** Of a generation that failed, what the service said, or its status where that says more than `failed`. */
export function detailText({ summary, detail = '' }: Cause): string {
  if (summary !== GENERATION_FAILED) return detail;
  const [, status = '', said] = /^Status (\S+?)(?:: (.*))?$/s.exec(detail) ?? [undefined, '', detail];
  if (said !== undefined) return said.replace(/\.$/, '') === summary ? '' : said;
  return /^fail(?:ed|ure)$/i.test(status) ? '' : `status ${status}`;
}
