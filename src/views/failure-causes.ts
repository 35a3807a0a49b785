/** What is open in a campaign, by cause, as the page shows it: the groups of `campaign status`, with what to do. Pure. */
import { mediaOf } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';
import type { Failure } from '../model/failure.ts';
import { shortAddress, storedAs } from '../model/kinds.ts';
import type { SourceRef } from '../model/source.ts';
import { inertText } from '../util/inert-text.ts';
import { detailText } from './cause-words.ts';
import type { Coverage } from './coverage.ts';
import { adviceFor, groupFailures, openFailures } from './failure-groups.ts';

export interface FailureCause {
  readonly end: Failure['end'];
  /** Texts of the service are made harmless for display. */
  readonly summary: string;
  readonly detail: string;
  readonly advice: string;
  /** Ready to be pasted. */
  readonly commands: readonly string[];
  readonly nodes: readonly FailedNode[];
}

export interface FailedNode {
  readonly address: string;
  /** The post that it is, or whose files it is; null for anything else. */
  readonly post: string | null;
  /** `campaign.yaml:31` */
  readonly at: string | null;
  /** Photos that it is about. */
  readonly photos: readonly string[];
}

interface Named {
  readonly target: string;
  /** `campaign.yaml:31`, as the page says it: never an absolute path of a machine. */
  readonly placeOf: (source: SourceRef | undefined) => string | null;
}

/** The most frequent first. */
export function failureCauses(coverage: Pick<Coverage, 'open'>, { target, placeOf }: Named): FailureCause[] {
  const groups = groupFailures(openFailures(coverage)).toSorted((a, b) => b.length - a.length);
  return groups.map(([first, ...others]) => ({
    end: first.end,
    summary: inertText(first.problem.summary),
    detail: inertText(detailText(first.problem)),
    advice: inertText(adviceFor(first, target)),
    commands: commandsFor(first, { target, isAlone: others.length === 0 }),
    nodes: [first, ...others].map((failure) => {
      const { address, source, problem } = failure;
      const at = placeOf(source);
      const media = mediaOf(address);
      return {
        address: shortAddress(address),
        post: storedAs(media) === 'take' ? shortAddress(media) : null,
        at: at === null ? null : inertText(at),
        photos: (problem.photos ?? []).map((photo) => inertText(photo)),
      };
    }),
  }));
}

function commandsFor(
  { address, end }: Failure,
  { target, isAlone }: { readonly target: string; readonly isAlone: boolean },
): string[] {
  const one = shortAddress(address);
  switch (end) {
    case 'unknown':
      return [
        commandText('resolve', target, '--all'),
        ...(isAlone ? [commandText('resolve', target, one)] : []),
      ];
    case 'skipped':
      return [];
    case 'gone':
      return [commandText('apply', target, '--recreate-missing')];
    case 'rejected':
      return [commandText('apply', target)];
    case 'failed':
    case 'lost':
      if (storedAs(address) !== 'take') return [commandText('apply', target)];
      return [
        commandText('apply', target, '--retry-failed'),
        ...(isAlone ? [commandText('resolve', target, one, '--skip')] : []),
      ];
  }
}
