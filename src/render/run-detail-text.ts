/** `campaign history RUN`: one run as text, and as JSON. */
import type { RunSummary } from '../model/run-summary.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { amountText } from '../views/budget-words.ts';
import type { RunCause, RunDetail } from '../views/run-detail.ts';
import type { RunTimeline } from '../views/run-timeline.ts';
import { decisionText, historyJson, historyText } from './history-text.ts';
import { problemText } from '../views/cause-words.ts';
import { tableText, wrapText } from './text-columns.ts';

interface Shown {
  readonly running: boolean;
  readonly currency: string | undefined;
  readonly columns: number | undefined;
}

/** With where its time went, as the page shows it. */
interface TimedDetail extends RunDetail {
  readonly time?: Pick<RunTimeline, 'ms' | 'parts' | 'sentence'> | undefined;
}

/** How many addresses of a cause, and decisions, are named; `--json` names all. */
const NAMED = 10;

export function runDetailText(
  summary: RunSummary,
  detail: TimedDetail,
  { running, currency, columns }: Shown,
): string {
  const { plans, cost, retried, causes, unknown, decided, hasRecords } = detail;
  const { decided: _, ...undecided } = summary;
  const facts = [
    `campaign ${summary.version}, ${summary.manifest}`,
    ...(cost === undefined ? [] : [`requested for ${amountText(cost, currency)}`]),
    ...(retried ? [`${count(retried, 'create')} sent again, because the service had not taken them`] : []),
    ...(detail.time?.sentence ? [detail.time.sentence] : []),
    ...(hasRecords ? [] : ['The log was compacted since: no more than this is kept of it.']),
  ];
  const rows = plans.map(({ plan, ...numbers }) => [plan, ...Object.values(numbers).map(String)]);
  return [
    historyText([undecided], running, columns) +
      facts.flatMap((fact) => wrapped(fact, columns, '    ')).join(''),
    tableText(['post plan', 'requested', 'finished', 'failed', 'files'], rows, columns),
    ...causes.map((cause) => causeText(cause, columns)),
    ...listText('nobody knows whether they were made:', unknown, columns),
    ...listText('decided:', decided.map(decisionText), columns),
  ]
    .filter(Boolean)
    .join('\n');
}

function causeText({ problem, addresses }: RunCause, columns: number | undefined): string {
  return [
    ...wrapped(problemText(problem), columns, ''),
    ...shortened(addresses).flatMap((address) => wrapped(address, columns, '    ')),
  ].join('');
}

function listText(head: string, entries: readonly string[], columns: number | undefined): string[] {
  if (!entries.length) return [];
  return [
    `${head}\n${shortened(entries)
      .flatMap((entry) => wrapped(entry, columns, '    '))
      .join('')}`,
  ];
}

function shortened(entries: readonly string[]): readonly string[] {
  const more = entries.length - NAMED;
  return more > 0 ? [...entries.slice(0, NAMED), `and ${more} more`] : entries;
}

function wrapped(text: string, columns = Number.POSITIVE_INFINITY, first: string): string[] {
  const lines = wrapText(inertText(text), { columns, first, others: `${first}  ` });
  return lines.map((line) => `${line}\n`);
}

/** `complete` is false where the log was compacted since, so that only the summary is known. */
export function runDetailJson(
  summary: RunSummary,
  detail: TimedDetail,
  currency: string | undefined,
): object {
  const { time, plans, cost, retried, causes, unknown, decided, hasRecords } = detail;
  return {
    ...historyJson([summary])[0],
    complete: hasRecords,
    posts: plans.map(({ plan, ...numbers }) => ({ post: plan, ...numbers })),
    cost: cost ?? null,
    currency: currency ?? null,
    sent_again: retried,
    time: time?.parts.length ? { ms: time.ms, ...millisecondsOf(time.parts) } : null,
    errors: causes.map(({ problem: { summary: what, detail: more }, addresses }) => ({
      summary: what,
      detail: more ?? null,
      addresses,
    })),
    unknown,
    decisions: decided,
  };
}

/** `{"sending": 120, …}`: all parts, which add up to the run. */
function millisecondsOf(parts: RunTimeline['parts']): Record<string, number> {
  return Object.fromEntries(parts.map(({ part, ms }) => [part, ms]));
}
