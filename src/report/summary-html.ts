/** What a report says where scripts are off: the numbers, coverage and failures, as tables that every reader knows. */
import { type CoverageCounts, coverageTable } from '../views/coverage-table.ts';
import type { FailureCause } from '../views/failure-causes.ts';
import type { ReportCounts, ReportData } from '../views/report-data.ts';
import { countedAs, STATUS_LOOKS, STATUS_ORDER, statusWords } from '../views/status-looks.ts';
import { escapeHtml as text } from './escape-html.ts';

export function summaryHtml(data: ReportData): string {
  return `<main class="summary">
<h1>${text(data.campaign)} <small>${text(data.environment)}</small></h1>
<p>Made on ${dayAndTime(data.madeAt)} from ${text(data.manifest)}. Service: ${text(data.service)}.</p>
${countsTable(data.counts)}
${coverageHtml(data)}
${failuresHtml(data.failures)}
<p>The pictures are shown by a script in this file, which needs no network. Where scripts are off, only this summary is shown.</p>
</main>
`;
}

/** `2026-11-22 at 10:00 UTC`, of a time in ISO 8601. */
function dayAndTime(at: string): string {
  return text(`${at.slice(0, 10)} at ${at.slice(11, 16)} UTC`);
}

/** In the order and with the words of `campaign status`. */
function countsTable(counts: ReportCounts): string {
  const statuses = STATUS_ORDER.map(
    (status) => [STATUS_LOOKS[status].words, countedAs(counts, status)] as const,
  );
  const others = [
    ['out of date', counts.outdated],
    ['approved', counts.approved],
    ['rejected', counts.rejected],
    ['undecided', counts.undecided],
    ['without files here', counts.files_missing],
  ] as const;
  const shown = [...statuses, ...others].filter(([words, number]) => words === 'done' || number > 0);
  const rows = [['posts', counts.posts] as const, ...shown].map(
    ([words, number]) => `<tr><th scope="row">${words}</th><td>${number}</td></tr>`,
  );
  return `<table>\n<caption>Posts</caption>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>`;
}

/** A row for each product, a column for each format of each concept. */
function coverageHtml(data: ReportData): string {
  const { columns, rows, sums, sum } = coverageTable(data);
  if (!rows.length) return '<p>The manifest asks for no post.</p>';
  const concepts = columns.map(
    ({ name, formats }) => `<th scope="colgroup" colspan="${formats.length}">${text(name)}</th>`,
  );
  const formats = columns.flatMap((column) =>
    column.formats.map((format) => `<th scope="col">${text(format)}</th>`),
  );
  const lines = [...rows, { name: 'all products', cells: sums, sum }].map(
    ({ name, cells, sum: own }) =>
      `<tr><th scope="row">${text(name)}</th>${[own, ...cells].map(cellHtml).join('')}</tr>`,
  );
  return `<table>
<caption>Coverage</caption>
<thead>
<tr><th scope="col" rowspan="2">product</th><th scope="col" rowspan="2">all</th>${concepts.join('')}</tr>
<tr>${formats.join('')}</tr>
</thead>
<tbody>
${lines.join('\n')}
</tbody>
</table>`;
}

function cellHtml(counts: CoverageCounts | undefined): string {
  return `<td>${counts ? statusWords(counts) : ''}</td>`;
}

function failuresHtml(failures: readonly FailureCause[]): string {
  if (!failures.length) return '<p>Nothing has failed, and nothing waits for a decision.</p>';
  const rows = failures.map(({ end, summary, detail, advice, commands, nodes }) => {
    const cause = [`<strong>${text(summary)}</strong>`, text(detail), text(advice.replaceAll('`', ''))];
    const told = [...cause, ...commands.map((command) => `<code>${text(command)}</code>`)];
    const where = nodes.map(({ address, at }) => text(at === null ? address : `${address} (${at})`));
    return `<tr><th scope="row">${end}</th><td>${told.filter(Boolean).join('<br>')}</td><td>${where.join('<br>')}</td></tr>`;
  });
  return `<table>
<caption>What failed, or waits for a decision</caption>
<thead><tr><th scope="col">status</th><th scope="col">cause, and what to do</th><th scope="col">what</th></tr></thead>
<tbody>
${rows.join('\n')}
</tbody>
</table>`;
}
