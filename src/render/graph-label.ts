import cliTruncate from 'cli-truncate';
import { inertText } from '../util/inert-text.ts';
import type { Box, Picture } from '../views/collapse-graph.ts';
import { GRAPH_STATUSES, type GraphStatus } from '../views/graph-status.ts';

/** What is written in a box: no line holds control characters, or is long. */
export interface Label {
  readonly title: string;
  /** The last ones say by signs and words what the colour says. */
  readonly lines: readonly string[];
}

/** The sign of a status, its words, and its colours: paper and ink, which are legible on light and dark pages. */
export const LOOKS: Readonly<
  Record<GraphStatus, readonly [sign: string, words: string, fill: string, line: string]>
> = {
  failed: ['✗', 'failed', '#fee2e2', '#b91c1c'],
  gone: ['✗', 'gone', '#fecdd3', '#9f1239'],
  unknown: ['?', 'unknown', '#f3e8ff', '#7e22ce'],
  outdated: ['↻', 'out of date', '#fef3c7', '#b45309'],
  pending: ['…', 'pending', '#dbeafe', '#1d4ed8'],
  blocked: ['‖', 'blocked', '#e5e7eb', '#374151'],
  missing: ['○', 'missing', '#ffffff', '#6b7280'],
  given_up: ['–', 'given up', '#e7e5e4', '#57534e'],
  done: ['✓', 'done', '#dcfce7', '#15803d'],
  unneeded: ['·', 'not needed', '#f8fafc', '#6b7280'],
};

const MOST_COLUMNS = 40;

export function lineOf(text: string): string {
  return cliTruncate(inertText(text, 400), MOST_COLUMNS);
}

export function labelOf({ id, title, lines, statuses, isGroup }: Box): Label {
  const words = statuses.map(({ status, count, noun }) => {
    const [sign, name] = LOOKS[status];
    const number = isGroup ? `${count} ` : '';
    const what = noun === undefined ? '' : `${noun}${count === 1 ? '' : 's'} `;
    return `${sign} ${number}${what}${name}`;
  });
  const statusLines = words.flatMap((_, index) =>
    index % A_LINE ? [] : [words.slice(index, index + A_LINE).join(', ')],
  );
  return { title: lineOf(title) || id, lines: [...lines.map(lineOf), ...statusLines] };
}

/** Statuses of a box in one line. */
const A_LINE = 3;

/** The status that gives a box its colour. */
export function urgentOf({ statuses }: Box): GraphStatus | undefined {
  return statuses[0]?.status;
}

/** The statuses that a picture shows, for its legend. */
export function statusesIn({ boxes }: Picture): GraphStatus[] {
  const shown = new Set(boxes.flatMap((box) => box.statuses.map(({ status }) => status)));
  return GRAPH_STATUSES.filter((status) => shown.has(status)).reverse();
}

/** What stands below the title of a picture. */
export function notesOf({ boxes, together }: Picture): string[] {
  const notes: string[] = [];
  if (!boxes.length) notes.push('The manifest asks for nothing yet.');
  if (together.length) notes.push(`Drawn together: ${together.join(', ')}. With --all, each has a box.`);
  const isMixed = boxes.some(({ isGroup, statuses }) => isGroup && statuses.length > 1);
  if (isMixed) notes.push('A box of several has the colour of what is most urgent in it.');
  return notes;
}
