import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { onTestFinished } from 'vitest';
import { createEncoder } from '../../src/emulator/pictures/video-encoder.ts';
import { pageHtml } from '../../src/report/page-html.ts';
import type { Picture, ReportData, SheetPost } from '../../src/views/report-data.ts';
import type { openBrowser } from '../support/browser.ts';
import { sheetData, sheetPicture, sheetPost, sheetTake } from '../support/sheet-data.ts';

const DIST = join(import.meta.dirname, '..', '..', 'dist');

/** Places in the list of pictures. */
const [PORTRAIT, WIDE, FILM, LOST, DAMAGED] = [0, 1, 2, 3, 4];

export const HOSTILE = [
  '<script>throw new Error("it ran")</script>',
  '"\'><img src=x onerror=alert(1)><svg onload=alert(1)>',
  '\u202egnissapmoc\u2066 \u0000\u0007\ud800',
  'word '.repeat(2_000),
  'unbroken'.repeat(1_250),
];

/** Everything that a sheet can have to show. */
export function odditiesData(): ReportData {
  const [script = '', markup = '', bidi = '', words = '', unbroken = ''] = HOSTILE;
  const twice = [
    sheetTake('hero/takes, first', { pictures: [WIDE] }),
    sheetTake('hero/takes', { take: 2, pictures: [PORTRAIT] }),
  ];
  const posts: SheetPost[] = [
    sheetPost('hero/image', { caption: script }),
    sheetPost('hero/carousel', {
      type: 'carousel',
      takes: [sheetTake('hero/carousel', { pictures: [PORTRAIT, WIDE, PORTRAIT] })],
    }),
    sheetPost('hero/film', { type: 'video', takes: [sheetTake('hero/film', { pictures: [FILM] })] }),
    sheetPost('hero/takes', { takes: twice, outOfDate: true }),
    sheetPost('hero/failed', { status: 'failed', takes: [], cause: `The generation failed: ${markup}` }),
    sheetPost('hero/pending', { status: 'pending', takes: [], product: 'odd', concept: 'odd' }),
    sheetPost('hero/unknown', { status: 'unknown', takes: [], cause: unbroken }),
    // Its outputs are not downloaded, or are in a storage.
    sheetPost('hero/apart', { takes: [sheetTake('hero/apart', { pictures: [] })] }),
    sheetPost('hero/lost', { takes: [sheetTake('hero/lost', { pictures: [LOST] })], caption: words }),
    sheetPost('hero/damaged', { takes: [sheetTake('hero/damaged', { pictures: [DAMAGED] })] }),
    sheetPost('hero/noted', {
      caption: unbroken,
      takes: [
        sheetTake('hero/noted', {
          decision: { verdict: 'rejected', note: `${bidi}${markup}`, by: script, at: '2026-11-22T10:00:00Z' },
        }),
      ],
    }),
  ];
  return sheetData(posts, {
    campaign: script,
    environment: unbroken.slice(0, 300),
    pictures: [
      sheetPicture({ path: 'portrait #1.jpg', width: 300, height: 400 }),
      sheetPicture({ path: 'wide.jpg', width: 400, height: 200 }),
      sheetPicture({ path: 'film.mp4', width: 64, height: 64, kind: 'video' }),
      // Not downloaded: what a report says of such a file.
      sheetPicture({ path: null, width: 0, height: 0, problem: markup }),
      sheetPicture({ path: 'portrait #1.jpg', width: 300, height: 400 }),
    ],
    products: [
      { key: 'tote', name: 'Canvas tote', photos: [WIDE] },
      { key: 'odd', name: bidi, photos: [] },
    ],
    concepts: [
      { key: 'morning', name: 'Linen morning' },
      { key: 'odd', name: unbroken },
    ],
  });
}

/** A report in a folder of its own, with its pictures beside it and their thumbnails inside. */
export async function writeSheet(data: ReportData): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-sheet-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const portrait = await flat(300, 400, '#7a9');
  await writeFile(join(folder, 'portrait #1.jpg'), portrait);
  await writeFile(join(folder, 'wide.jpg'), await flat(400, 200, '#c96'));
  await writeFile(join(folder, 'film.mp4'), await film());
  const thumbnail = (await sharp(portrait).resize(64).webp().toBuffer()).toString('base64');
  const texts = data.pictures.map((picture, index) => thumbnailOf(picture, index, thumbnail));
  const blocks = Array.from({ length: Math.ceil(texts.length / 100) }, (_, block) => {
    const part = texts.slice(block * 100, block * 100 + 100).join(',');
    return `<script type="text/plain" data-block="${block}">${part}.</script>\n`;
  });
  const [script, style] = await Promise.all(
    ['page.js', 'page-style.css'].map((name) => readFile(join(DIST, name), 'utf8')),
  );
  const file = join(folder, 'report.html');
  await writeFile(file, [...pageHtml({ data, script: script ?? '', style: style ?? '' }, blocks)].join(''));
  return file;
}

function thumbnailOf({ problem }: Picture, index: number, thumbnail: string): string {
  if (problem !== null) return '';
  return index === DAMAGED ? 'AAAA' : thumbnail;
}

function flat(width: number, height: number, background: string): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
}

async function film(): Promise<Uint8Array> {
  const encoder = await createEncoder({ width: 64, height: 64, framesPerSecond: 10 });
  for (let frame = 0; frame < 5; frame++) encoder.addFrame(Buffer.alloc(64 * 64 * 4, 40 * frame));
  const bytes = encoder.finish();
  encoder.close();
  return bytes;
}

/** Opens a report as a person does, without a network; `heard` is everything that it should not say or ask for. */
export async function openSheet(
  browser: Awaited<ReturnType<typeof openBrowser>>,
  file: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; heard: string[] }> {
  const context = await browser.newContext({
    offline: true,
    viewport: { width: 1280, height: 720 },
    acceptDownloads: true,
    ...options,
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const heard: string[] = [];
  const url = pathToFileURL(file).href;
  page.on('console', (message) => heard.push(message.text()));
  page.on('pageerror', ({ message }) => heard.push(message));
  page.on('request', (request) => {
    const asked = request.url();
    if (!/^(?:file|data|blob):/.test(asked)) heard.push(asked);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`policy: ${violatedDirective} ${blockedURI}`),
    );
  });
  await page.goto(url);
  await page.locator('.tile.framed').waitFor();
  return { page, heard };
}
