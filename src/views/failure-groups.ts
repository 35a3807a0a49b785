/** Failures by cause, and what to do about each, for everything that tells of them. */
import type { Address } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import type { Failure } from '../model/failure.ts';
import { kindOf, shortAddress, storedAs } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';
import { detailText } from './cause-words.ts';
import { groupBy } from '../util/group-by.ts';
import type { Coverage } from './coverage.ts';

/** Failures of one cause, the first of them first. */
export type FailureGroup = readonly [Failure, ...Failure[]];

export function groupFailures(failures: readonly Failure[]): FailureGroup[] {
  const alike = groupBy(failures, ({ address, end, problem }) =>
    JSON.stringify([kindOf(address), end, causeKey(problem, address)]),
  );
  return [...alike.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []));
}

/** What is open in a campaign, as failures. */
export function openFailures({ open }: Pick<Coverage, 'open'>): Failure[] {
  return open.map(({ status: end, problem = { summary: end }, ...node }) => ({ ...node, end, problem }));
}

/** The same for one cause: it may differ by the node that it names, or by an id of the service. */
export function causeKey(problem: Problem, address: Address): string {
  const detail = withoutIds(detailText(problem));
  const unnamed = detail.replaceAll(address, '{address}').replaceAll(shortAddress(address), '{address}');
  return JSON.stringify([problem.summary, unnamed]);
}

const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

/** Ids would make many causes of one. */
export function withoutIds(text: string): string {
  return text.replaceAll(UUID, '{id}');
}

export function adviceFor({ address, end, problem }: Failure, target: string): string {
  if (end === 'unknown') return `It may exist at the service. Decide: ${decideCommand(address, target)}.`;
  if (end === 'skipped' || (end === 'gone' && storedAs(address) === 'object')) return '';
  if (end === 'rejected') return 'Nothing was made. Mend what is refused: the next run asks again.';
  if (storedAs(address) === 'files')
    return 'The post is generated, only its file is missing: the next run fetches it.';
  if (kindOf(address) === 'upload' && problem.status === 413)
    return 'Save it smaller. If you set `service.max_upload_bytes` to the largest size that the service takes, `validate` names such photos before anything is sent.';
  if (storedAs(address) !== 'take') return 'The next run tries again.';
  const skip = commandText('resolve', target, shortAddress(address), '--skip');
  const again = end === 'gone' ? '--recreate-missing' : '--retry-failed';
  return `It may have been made: for 30 days every run rechecks it. ${again} rechecks it too, and then requests another one; \`${skip}\` gives it up.`;
}

/** The command that decides an unknown create, ready to be pasted. */
export function decideCommand(address: Address, target: string): string {
  return `\`${commandText('resolve', target, address)}\` asks, or takes --id UUID, --not-created or --skip`;
}
