import type { Failure } from '../model/failure.ts';
import { kindOf, shortAddress } from '../model/kinds.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRef } from '../model/source.ts';
import { inertText } from '../util/inert-text.ts';
import { adviceFor, type FailureGroup, groupFailures } from '../views/failure-groups.ts';
import { lookForText } from './look-for-text.ts';
import { detailText } from '../views/cause-words.ts';

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
    inertText(detailText(problem)),
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
