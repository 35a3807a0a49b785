import { createHash } from 'node:crypto';
import { packReport } from '../views/packed-report.ts';
import type { ReportData } from '../views/report-data.ts';
import { escapeHtml, jsonForScript } from './escape-html.ts';
import { summaryHtml } from './summary-html.ts';

/** What a report begins with, so that a later one knows that it may replace it. */
export const REPORT_HEAD = '<!doctype html>\n<!-- campaign report -->\n';

export interface PageParts {
  readonly data: ReportData;
  /** The page's own program and its style, as the build made them. */
  readonly script: string;
  readonly style: string;
}

/**
 * A page that works by itself: nothing is loaded but what the policy names. The program starts as soon as the data and the first
 * of the `blocks` have been read, long before the others have. Where it does not run, the summary is shown.
 */
export function* pageHtml(
  { data, script, style }: PageParts,
  blocks: Iterable<string> = [],
): Generator<string> {
  const title = escapeHtml(`${data.campaign} · ${data.environment}`);
  yield `${REPORT_HEAD}<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy({ script, style })}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
`;
  const { first, later } = packReport(data);
  yield dataHtml('data', first);
  yield dataHtml('later', later);
  const rest = blocks[Symbol.iterator]();
  const { value: pictures } = rest.next();
  if (pictures !== undefined) yield pictures;
  yield `<script>${script}</script>\n`;
  yield summaryHtml(data);
  for (let next = rest.next(); !next.done; next = rest.next()) yield next.value;
  yield '</body>\n</html>\n';
}

function dataHtml(id: string, value: object): string {
  return `<script type="application/json" id="${id}">${jsonForScript(value)}</script>\n`;
}

/** Without a server nothing may be asked for but the pictures beside the page; no text ever becomes a program. */
function pagePolicy({ script, style }: Pick<PageParts, 'script' | 'style'>): string {
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "img-src data: blob: 'self' file:",
    "media-src data: blob: 'self' file:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}

/** As browsers compute it of the text of an element. */
export function hashOf(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
