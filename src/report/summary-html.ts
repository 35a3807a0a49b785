/** What a report says where scripts are off: the numbers, coverage and failures, as tables that every reader knows. */
import { groupBy } from '../util/group-by.ts';
import type { OpenCause, ReportCounts, ReportData, SheetPost } from '../views/report-data.ts';
import { escapeHtml as text } from './escape-html.ts';

export function summaryHtml(data: ReportData): string {
  return `<main class="summary">
<h1>${text(data.campaign)} <small>${text(data.environment)}</small></h1>
<p>Made on ${dayAndTime(data.madeAt)} from ${text(data.manifest)}. Service: ${text(data.service)}.</p>
${countsTable(data.counts)}
${coverageTable(data)}
${openTable(data.open)}
<p>The pictures are shown by a script in this file, which needs no network. Where scripts are off, only this summary is shown.</p>
</main>
`;
}

/** `2026-11-22 at 10:00 UTC`, of a time in ISO 8601. */
function dayAndTime(at: string): string {
  return text(`${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`);
}

/** In the order and with the words of `campaign status`. */
const COUNTS: readonly (readonly [keyof ReportCounts, string])[] = [
  ['posts', 'posts'],
  ['done', 'done'],
  ['pending', 'pending'],
  ['failed', 'failed'],
  ['unknown', 'unknown'],
  ['given_up', 'given up'],
  ['missing', 'missing'],
  ['outdated', 'out of date'],
  ['approved', 'approved'],
  ['rejected', 'rejected'],
  ['undecided', 'undecided'],
  ['files_missing', 'files missing'],
];

function countsTable(counts: ReportCounts): string {
  const shown = COUNTS.filter(([key]) => key === 'posts' || key === 'done' || counts[key] > 0);
  const rows = shown.map(([key, words]) => `<tr><th scope="row">${words}</th><td>${counts[key]}</td></tr>`);
  return `<table>\n<caption>Posts</caption>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
}

/** A row for each product and concept, a column for each format. */
function coverageTable({ posts, products, concepts }: ReportData): string {
  const wanted = posts.filter((post) => post.wanted);
  if (!wanted.length) return '<p>The manifest asks for no post.</p>';
  const ratios = [...new Set(wanted.map(({ ratio }) => ratio))];
  const nameOf = namesOf(products);
  const conceptOf = namesOf(concepts);
  const groups = groupBy(wanted, ({ product, concept }) => JSON.stringify([product, concept]));
  const rows = [...groups.values()].map((group) => {
    const cells = ratios.map((ratio) => `<td>${cellOf(group.filter((post) => post.ratio === ratio))}</td>`);
    const [first] = group;
    const names = `<th scope="row">${text(nameOf(first?.product ?? null))}</th><td>${text(conceptOf(first?.concept ?? null))}</td>`;
    return `<tr>${names}${cells.join('')}</tr>`;
  });
  const heads = ratios.map((ratio) => `<th scope="col">${text(ratio)}</th>`).join('');
  return `<table>
<caption>Coverage: how many posts are done</caption>
<thead><tr><th scope="col">product</th><th scope="col">concept</th>${heads}</tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}

function namesOf(all: readonly { readonly key: string; readonly name: string }[]) {
  const names = new Map(all.map(({ key, name }) => [key, name]));
  return (key: string | null) => (key === null ? '' : (names.get(key) ?? key));
}

function cellOf(posts: readonly SheetPost[]): string {
  if (!posts.length) return '';
  return `${posts.filter(({ status }) => status === 'done').length} of ${posts.length}`;
}

function openTable(open: readonly OpenCause[]): string {
  if (!open.length) return '<p>Nothing has failed, and nothing waits for a decision.</p>';
  const rows = open.map(({ address, status, summary, detail, at }) => {
    const cause = `<strong>${text(summary)}</strong>${detail === null ? '' : ` ${text(detail)}`}`;
    return `<tr><th scope="row">${text(address)}</th><td>${status}</td><td>${cause}</td><td>${text(at ?? '')}</td></tr>`;
  });
  return `<table>
<caption>What failed, or waits for a decision</caption>
<thead><tr><th scope="col">what</th><th scope="col">status</th><th scope="col">cause</th><th scope="col">written in</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}
