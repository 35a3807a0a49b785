import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { hashOf, pageHtml } from '../../src/report/page-html.ts';
import { thumbnailBlocks } from '../../src/report/thumbnail-blocks.ts';
import { MOST_ZIPPED, zipEntries } from '../../src/report/zip-entries.ts';
import type { ReportData } from '../../src/views/report-data.ts';
import { reportDataIn } from '../support/report-data-in.ts';
import { sheetData, sheetPost } from '../support/sheet-data.ts';

const POST = sheetPost('hero/1', { concept: null, takes: [] });

const DATA: ReportData = sheetData(
  [POST, { ...POST, address: 'media/hero/2', status: 'failed' }, { ...POST, status: 'to_download' }],
  {
    campaign: 'small',
    environment: 'production',
    manifest: 'm.yaml',
    madeAt: '2026-03-01T00:00:00.000Z',
    pictures: [],
    products: [{ key: 'tote', name: 'Tote', photos: [] }],
    concepts: [],
    failures: [
      {
        end: 'failed',
        summary: 'The generation failed',
        detail: 'too dark',
        advice: 'Take `campaign apply` & wait.',
        commands: ['campaign apply --retry-failed'],
        nodes: [
          { address: 'media/hero/2', post: 'media/hero/2', at: 'm.yaml:9', photos: [] },
          { address: 'media/hero/3', post: 'media/hero/3', at: null, photos: [] },
        ],
      },
    ],
  },
);
// The pending posts are those whose files are missing, and one that is generated now.
const counts = { ...DATA.counts, failed: 1, pending: 2, to_download: 1 };

const PROGRAM = { script: "document.title = '<b>'", style: 'body{margin:0}' };

const pageOf = (data: ReportData, blocks: Iterable<string> = []) =>
  [...pageHtml({ data, ...PROGRAM }, blocks)].join('');

describe('the page of a report', () => {
  it('allows its own script and style alone, and has all data as JSON', () => {
    const page = pageOf(DATA);
    const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page) ?? [];
    expect(policy).toBe(
      [
        "default-src 'none'",
        `script-src ${hashOf(PROGRAM.script)}`,
        `style-src ${hashOf(PROGRAM.style)}`,
        "img-src data: blob: 'self' file:",
        "media-src data: blob: 'self' file:",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ].join('; '),
    );
    expect(hashOf('')).toBe("'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='");
    expect(page).toContain(`<script>${PROGRAM.script}</script>`);
    expect(reportDataIn(page)).toEqual(DATA);
  });

  it('can be read where scripts are off: numbers, coverage, failures', () => {
    const [, main = ''] = /<main class="summary">\n(.*)<\/main>/s.exec(pageOf({ ...DATA, counts })) ?? [];
    expect(main).toBe(`<h1>small <small>production</small></h1>
<p>Made on 2026-03-01 at 00:00 UTC from m.yaml. Service: visuals.example.com.</p>
<table>
<caption>Posts</caption>
<tbody>
<tr><th scope="row">posts</th><td>3</td></tr>
<tr><th scope="row">done</th><td>1</td></tr>
<tr><th scope="row">pending</th><td>1</td></tr>
<tr><th scope="row">to download</th><td>1</td></tr>
<tr><th scope="row">failed</th><td>1</td></tr>
<tr><th scope="row">undecided</th><td>1</td></tr>
</tbody>
</table>
<table>
<caption>Coverage</caption>
<thead>
<tr><th scope="col" rowspan="2">product</th><th scope="col" rowspan="2">all</th><th scope="colgroup" colspan="1">without a concept of this campaign</th></tr>
<tr><th scope="col">4:5 image</th></tr>
</thead>
<tbody>
<tr><th scope="row">Tote</th><td>1 done, 1 to download, 1 failed</td><td>1 done, 1 to download, 1 failed</td></tr>
<tr><th scope="row">all products</th><td>1 done, 1 to download, 1 failed</td><td>1 done, 1 to download, 1 failed</td></tr>
</tbody>
</table>
<table>
<caption>What failed, or waits for a decision</caption>
<thead><tr><th scope="col">status</th><th scope="col">cause, and what to do</th><th scope="col">what</th></tr></thead>
<tbody>
<tr><th scope="row">failed</th><td><strong>The generation failed</strong><br>too dark<br>Take campaign apply &amp; wait.<br><code>campaign apply --retry-failed</code></td><td>media/hero/2 (m.yaml:9)<br>media/hero/3</td></tr>
</tbody>
</table>
<p>The pictures are shown by a script in this file, which needs no network. Where scripts are off, only this summary is shown.</p>
`);
    const empty = pageOf({ ...DATA, posts: [], failures: [] });
    expect(empty).toContain('<p>The manifest asks for no post.</p>');
    expect(empty).toContain('<p>Nothing has failed, and nothing waits for a decision.</p>');
  });

  it.each([
    '</script><script>alert(1)</script>',
    '<!-- <script>',
    '--> ]]> </style>',
    `" onload="alert(1)' onload='alert(1)`,
    '<svg onload=alert(1)>',
    'a\u2028b\u2029c',
    'NUL\u0000and\u001B[31mred',
    '\u202Egnp.exe',
    '&lt;b&gt; &#x3c;',
    'w'.repeat(10_000),
  ])('holds %j as text alone', (text) => {
    const products = [{ key: 'tote', name: text, photos: [] }];
    const data: ReportData = {
      ...DATA,
      campaign: text,
      products,
      failures: DATA.failures.map((cause) => ({ ...cause, summary: text, detail: text })),
    };
    const page = pageOf(data);
    expect(reportDataIn(page)).toEqual(data);
    // As many elements as without it, and nothing that a reader of bytes would stumble over.
    const tags = (html: string) => html.replace(PROGRAM.script, '').match(/<[a-z!/][^>]*>/g)?.length;
    const plain = {
      ...data,
      campaign: 'x',
      products: [{ key: 'tote', name: 'x', photos: [] }],
      failures: DATA.failures,
    };
    expect(tags(page)).toBe(tags(pageOf(plain)));
    // oxlint-disable-next-line no-control-regex -- these must not be in it
    expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u2028\u2029\u202e]/);
    expect(page.length).toBeLessThan(pageOf(plain).length + 60_000);
  });
});

describe('blocks of thumbnails', () => {
  it('hold a hundred each, with an empty place for what has none', () => {
    const small = { bytes: 3, read: () => Buffer.from('abc') };
    const pictures = Array.from({ length: 202 }, (_, index) =>
      index === 1 || index > 99 ? undefined : small,
    );
    const [first = '', ...others] = thumbnailBlocks('block', [...pictures.slice(0, 201), small]);
    expect(first).toMatch(/^<script type="text\/plain" data-block="0">YWJj,,YWJj,/);
    expect(first.split(',')).toHaveLength(100);
    expect(first.endsWith('YWJj.</script>\n')).toBe(true);
    // Of the second hundred none can be shown.
    expect(others).toEqual(['<script type="text/plain" data-block="2">,YWJj.</script>\n']);
  });
});

describe('an archive', () => {
  it('has each file as it is', async () => {
    const files = {
      'report.html': { isCompressed: false, content: [Buffer.from('<p>'.repeat(1000)), Buffer.from('é')] },
      'files/photos/größe #1.jpg': {
        isCompressed: true,
        content: [Buffer.from([255, 216]), Buffer.from([0])],
      },
      'files/gone.jpg': { isCompressed: true, content: [] },
    };
    const entries = Object.entries(files).map(([name, file]) => ({ name, ...file }));
    const pieces: Uint8Array[] = [];
    for await (const piece of zipEntries(entries, '2026-03-01T00:00:00.000Z')) pieces.push(piece);
    const archive = Buffer.concat(pieces);
    const unpacked = Object.entries(unzipSync(archive)).map(([name, bytes]) => [name, Buffer.from(bytes)]);
    const expected = entries.map(({ name, content }) => [name, Buffer.concat(content)]);
    expect(unpacked).toEqual(expected);
    expect(archive.length).toBeLessThan(1_000);
    expect(MOST_ZIPPED.bytes).toBeLessThan(2 ** 32);
  });
});
