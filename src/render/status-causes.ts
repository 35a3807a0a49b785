import { shortAddress } from '../model/kinds.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import type { FailureGroup } from '../views/failure-groups.ts';
import { diagnosticText } from './diagnostic-text.ts';
import { diagnosticOf, type FailedCampaign } from './failure-text.ts';
import { causeText } from '../views/cause-words.ts';
import type { Style } from './style.ts';
import { wrapText } from './text-columns.ts';

/** What a status may take of a terminal or a page. */
export interface StatusRoom {
  readonly columns: number;
  readonly lines: number;
  /** `short`: a cause takes one line, wherever there is room for more. */
  readonly causes?: 'short';
  /** Where the causes are told for which there is no room. */
  readonly hidden?: (rest: readonly FailureGroup[]) => string;
  readonly style: Style;
}

/** Whole messages as long as there is room, then a line for each cause, then how many there are more. */
export function causeLines(
  groups: readonly FailureGroup[],
  campaign: FailedCampaign,
  room: StatusRoom,
): string[] {
  const listed = groups.length <= room.lines ? groups.length : Math.max(0, room.lines - 1);
  const rest = groups.slice(listed);
  const whole: string[] = [];
  let told = 0;
  for (let spare = room.lines - listed - (rest.length ? 1 : 0); told < listed; told += 1) {
    const lines = room.causes === 'short' ? undefined : wholeCause(groups[told], campaign, room);
    // A blank line follows it, and the line that it would have takes the same place.
    spare -= lines?.length ?? Number.POSITIVE_INFINITY;
    if (!lines || spare < 0) break;
    whole.push(...lines, '');
  }
  const short = groups.slice(told, listed).map((group) => shortCause(group, campaign));
  const below = short.map((text) => wrapText(text, { columns: room.columns, first: '  ', others: '      ' }));
  const height = below.reduce((sum, { length }) => sum + length, whole.length + (rest.length ? 1 : 0));
  // One line each where there is no room for more; a terminal cuts it off.
  const painted = (height <= room.lines ? below : short.map((text) => [`  ${text}`])).flatMap(
    ([first = '', ...more]) => [first.replace('✗', room.style.red('✗')), ...more],
  );
  const nodes = rest.reduce((sum, { length }) => sum + length, 0);
  const more = rest.length
    ? [`  … and ${count(rest.length, 'more cause')} (${nodes}): ${room.hidden?.(rest) ?? '--all shows them'}`]
    : [];
  const lines = [...whole, ...painted, ...more];
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

function wholeCause(
  group: FailureGroup | undefined,
  campaign: FailedCampaign,
  { style, columns }: StatusRoom,
): string[] | undefined {
  return group && diagnosticText(diagnosticOf(group, campaign), style, columns).trimEnd().split('\n');
}

/** `  ✗ media/hero/kitchen and 3 more failed: content policy  campaign.yaml:31` */
function shortCause([first, ...others]: FailureGroup, { quote }: FailedCampaign): string {
  const { address, end, problem, source } = first;
  const more = others.length ? ` and ${others.length} more` : '';
  const position = source === undefined ? undefined : quote(source)?.position;
  const place = position ? inertText(`${position.file}:${position.line}`) : '';
  return `✗ ${shortAddress(address)}${more} ${end}: ${causeText(problem)}  ${place}`.trimEnd();
}
