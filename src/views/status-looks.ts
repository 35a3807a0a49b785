/** How the page shows the status of a post: a symbol and a word, so that nobody has to tell colours apart. */
import { nonZero } from '../util/count.ts';
import type { ReportCounts, SheetStatus } from './report-data.ts';

export interface StatusLook {
  readonly symbol: string;
  /** As `campaign status` says it. */
  readonly words: string;
}

/** In the order in which they are told. */
export const STATUS_LOOKS: Readonly<Record<SheetStatus, StatusLook>> = {
  done: { symbol: '✓', words: 'done' },
  pending: { symbol: '…', words: 'pending' },
  to_download: { symbol: '↓', words: 'to download' },
  failed: { symbol: '✗', words: 'failed' },
  unknown: { symbol: '?', words: 'unknown' },
  given_up: { symbol: '–', words: 'given up' },
  blocked: { symbol: '!', words: 'blocked' },
  missing: { symbol: '+', words: 'to request' },
};

export const OUT_OF_DATE: StatusLook = { symbol: '↻', words: 'out of date' };

export const STATUS_ORDER = Object.keys(STATUS_LOOKS) as SheetStatus[];

/** In the counts of a campaign, those to request have the blocked ones in them, and the pending ones those to download. */
export function countedAs(counts: ReportCounts, status: SheetStatus): number {
  if (status === 'pending') return counts.pending - counts.to_download;
  return status === 'missing' ? counts.missing - counts.blocked : counts[status];
}

interface Counted {
  readonly statuses: Readonly<Partial<Record<SheetStatus, number>>>;
  readonly outOfDate: number;
}

/** `3 done, 1 failed, 1 out of date` */
export function statusWords({ statuses, outOfDate }: Counted): string {
  const counts = STATUS_ORDER.map((status) => [statuses[status] ?? 0, STATUS_LOOKS[status].words] as const);
  return nonZero([...counts, [outOfDate, OUT_OF_DATE.words]]).join(', ');
}

/** `✓3 ✗1 ↻1`: where there is no room for words. */
export function statusSymbols({ statuses, outOfDate }: Counted): string {
  const counts = STATUS_ORDER.flatMap((status) => {
    const number = statuses[status];
    return number ? [`${STATUS_LOOKS[status].symbol}${number}`] : [];
  });
  return [...counts, ...(outOfDate ? [`${OUT_OF_DATE.symbol}${outOfDate}`] : [])].join(' ');
}

const URGENCY: readonly SheetStatus[] = [
  'failed',
  'unknown',
  'blocked',
  'missing',
  'to_download',
  'pending',
  'given_up',
];

/** What gives several posts their colour. */
export function urgentStatus({ statuses, outOfDate }: Counted): SheetStatus | 'outdated' {
  return URGENCY.find((status) => statuses[status]) ?? (outOfDate ? 'outdated' : 'done');
}
