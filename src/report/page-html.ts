import { createHash } from 'node:crypto';
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
 * A page that works by itself: nothing is loaded but what the policy names. Where scripts are off, the summary stays, which the
 * program replaces by itself. `blocks` come last, so that the page is shown before they have been read.
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
<div id="app">
`;
  yield summaryHtml(data);
  yield '</div>\n<script type="application/json" id="data">';
  yield jsonForScript(data);
  yield `</script>\n<script>${script}</script>\n`;
  yield* blocks;
  yield '</body>\n</html>\n';
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
