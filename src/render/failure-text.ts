import type { Address } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import type { Failure } from '../model/failure.ts';
import { kindOf, storedAs } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRef } from '../model/source.ts';
import { groupBy } from '../util/group-by.ts';
import { inertText } from '../util/inert-text.ts';
import { lookForText } from './look-for-text.ts';
import { shortAddress, withoutIds } from './run-words.ts';

/** The line of the manifest that a reference points to. */
export type Quote = (source: SourceRef) => Pick<Problem, 'position' | 'sourceLine'> | undefined;

/** The campaign that failures belong to; `target` names it on the command line. */
export interface FailedCampaign {
  readonly quote: Quote;
  readonly target: string;
}

const SHOWN_ADDRESSES = 3;

/** Each cause is one message at the line of the first node, however many nodes it affects. */
export function failureDiagnostics(failures: readonly Failure[], campaign: FailedCampaign): Problem[] {
  return groupFailures(failures).map((group) => diagnosticOf(group, campaign));
}

/** Failures of one cause, the first of them first. */
export type FailureGroup = readonly [Failure, ...Failure[]];

export function groupFailures(failures: readonly Failure[]): FailureGroup[] {
  const alike = groupBy(failures, ({ address, end, problem }) =>
    JSON.stringify([kindOf(address), end, problem.summary, withoutNames(problem.detail ?? '', address)]),
  );
  return [...alike.values()].flatMap(([first, ...others]) => (first ? [[first, ...others] as const] : []));
}

/** A cause that differs only by the node that it names, or by an id of the service, is one cause. */
function withoutNames(detail: string, address: Address): string {
  return withoutIds(detail).replaceAll(address, '{address}').replaceAll(shortAddress(address), '{address}');
}

/** With the paths of its photos, because people do not know an upload by its address. */
function nameOf({ address, problem: { photos = [] } }: Failure): string {
  const name = shortAddress(address);
  return photos.length ? `${name} (${inertText(photos.join(', '))})` : name;
}

export function diagnosticOf([first, ...others]: FailureGroup, { quote, target }: FailedCampaign): Problem {
  const { address, end, problem, source } = first;
  const named = [first, ...others].slice(0, SHOWN_ADDRESSES);
  const more = others.length + 1 - named.length;
  const lineOf = ({ source: asked }: Failure) => {
    const position = asked === undefined ? undefined : quote(asked)?.position;
    return position ? ` at ${inertText(position.file)}:${position.line}` : '';
  };
  const place = lineOf(first);
  const elsewhere = (each: Failure) => (lineOf(each) === place ? '' : lineOf(each));
  const sought = named.flatMap(({ problem: { look_for: one } }) =>
    one ? `Look for ${lookForText(one)}.` : [],
  );
  const lines = [
    inertText(problem.detail ?? ''),
    `${named.map((each) => nameOf(each) + elsewhere(each)).join(', ')}${more ? ` and ${more} more` : ''}`,
    ...sought,
    adviceFor(first, target),
  ];
  return {
    code: `${kindOf(address) ?? 'node'}-${end}`,
    summary: problem.summary,
    detail: lines.filter(Boolean).join('\n'),
    addresses: [first, ...others].map((failure) => failure.address),
    ...(source === undefined ? {} : quote(source)),
  };
}

function adviceFor({ address, end }: Failure, target: string): string {
  if (end === 'unknown') return `It may exist at the service. Decide: ${decideCommand(address, target)}.`;
  if (end === 'skipped' || (end === 'gone' && storedAs(address) === 'object')) return '';
  if (end === 'rejected') return 'Nothing was made. Mend what is refused: the next run asks again.';
  if (storedAs(address) === 'files')
    return 'The post is generated, only its file is missing: the next run fetches it.';
  if (storedAs(address) !== 'take') return 'The next run tries again.';
  const skip = commandText('resolve', target, shortAddress(address), '--skip');
  const again = end === 'gone' ? '--recreate-missing' : '--retry-failed';
  return `It may have been paid for: for 30 days every run rechecks it. ${again} rechecks it too, and then pays for another one; \`${skip}\` gives it up.`;
}

/** The command that decides an unknown create, ready to be pasted. */
export function decideCommand(address: Address, target: string): string {
  return `\`${commandText('resolve', target, address)}\` asks, or takes --id UUID, --not-created or --skip`;
}
