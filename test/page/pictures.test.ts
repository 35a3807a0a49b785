/**
 * The pictures of the page in README and docs. `npm run pictures` takes them of the real report when `shown.txt` has changed.
 *
 * What makes a picture stale cannot be its pixels: they differ between versions of Chromium and its fonts. It cannot be the
 * page's program either: that changes often where nothing can be seen. So it is what the browser draws from: the elements of
 * each screen with their words, and the style. Both come from the same recorded runs each time.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, it, onTestFinished } from 'vitest';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { recordCampaign, standIn, writeRecordedPage } from './pictured-campaign.ts';
import { picturesIn, serveRecordedRun } from './pictured-live.ts';
import { PAGES, readPage, ROOT } from '../docs/page-blocks.ts';

const FOLDER = join(ROOT, 'docs', 'pictures', 'page');
const STALE = 'docs/pictures/page/ is stale: run `npm run pictures`';

const tab = (name: string) => (page: Page) => page.getByRole('tab', { name, exact: true }).click();

/** What is done before each picture, from the first picture of the contact sheet on. */
const SHOTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  sheet: async () => undefined,
  large: (page) => press(page, 'ArrowRight', 'ArrowRight', 'Enter', 'b'),
  compare: (page) => press(page, 'Escape', 'ArrowLeft', 'c'),
  async summary(page) {
    await press(page, 'Escape');
    await tab('Summary')(page);
  },
  coverage: tab('Coverage'),
  failures: tab('Failures'),
  cost: tab('Cost'),
  async timeline(page) {
    await tab('Timeline')(page);
    const runs = page.locator('.screen select');
    await runs.selectOption({ index: (await runs.locator('option').count()) - 1 });
  },
};

/** The page of `campaign ui` while a run goes on. */
const LIVE = 'live';

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

it.skipIf(!hasBrowser)('docs/pictures/page/ shows what the page shows', async () => {
  const browser = await openBrowser();
  onTestFinished(() => browser.close());
  if (process.env['TAKE_PICTURES'] && (await isStale(browser))) await takePictures(browser);
  await expect(await shownNow(browser), STALE).toMatchFileSnapshot(join(FOLDER, 'shown.txt'));

  const pictures = (await readdir(FOLDER)).filter((name) => name.endsWith('.webp')).toSorted();
  const names = [...Object.keys(SHOTS), LIVE].flatMap((name) => [`${name}-dark.webp`, `${name}-light.webp`]);
  expect(pictures, STALE).toEqual(names.toSorted());
  const used = PAGES.flatMap((page) => readPage(page).match(/[a-z]+-(?:dark|light)\.webp/g) ?? []);
  expect([...new Set(used)].toSorted()).toEqual(pictures);
  const sizes = await Promise.all(pictures.map(async (name) => (await stat(join(FOLDER, name))).size));
  expect(Math.max(...sizes)).toBeLessThan(150_000);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(1_000_000);
});

async function isStale(browser: Browser): Promise<boolean> {
  const kept = await readFile(join(FOLDER, 'shown.txt'), 'utf8').catch(() => '');
  return kept === '' || kept !== (await shownNow(browser));
}

/** Everything that the pictures are drawn from. */
async function shownNow(browser: Browser): Promise<string> {
  const { copy, page: file } = await writeRecordedPage();
  try {
    const parts: string[] = [];
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, offline: true });
    const page = await openPage(context, pathToFileURL(file).href);
    for (const [name, go] of Object.entries(SHOTS)) {
      await go(page);
      parts.push(`# ${name}\n${await page.evaluate(drawnFrom)}`);
    }
    await context.close();
    const picture = await standIn();
    await onLivePage(browser, { picture: async () => picture }, async (live) => {
      parts.push(`# ${LIVE}\n${await live.evaluate(drawnFrom)}`);
    });
    const style = await readFile(join(ROOT, 'dist', 'page-style.css'));
    return `style ${createHash('sha256').update(style).digest('hex')}\n\n${parts.join('\n\n')}\n`;
  } finally {
    await copy.remove();
  }
}

async function openPage(context: { newPage(): Promise<Page> }, address: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('.tile.framed').waitFor();
  // A video that cannot be played becomes a sentence.
  await page.waitForFunction(() =>
    [...document.querySelectorAll('video')].every(({ readyState }) => readyState > 1),
  );
  return page;
}

interface Live {
  readonly picture: (sha256: string) => Promise<Buffer>;
  readonly colorScheme?: 'dark' | 'light';
}

async function onLivePage(
  browser: Browser,
  { picture, colorScheme = 'light' }: Live,
  look: (page: Page) => Promise<void>,
): Promise<void> {
  const server = await serveRecordedRun(picture);
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, colorScheme });
  try {
    const page = await openPage(context, server.link);
    await page.locator('#live', { hasText: 'campaign apply' }).waitFor();
    await look(page);
  } finally {
    await context.close();
    await server.close();
  }
}

/** The elements that can be seen, with class and words; what pictures hold and how large they are is not of the page. */
function drawnFrom(): string {
  const lines: string[] = [];
  const add = (element: Element, depth: number) => {
    const words = [...element.childNodes]
      .flatMap((node) => (node.nodeType === 3 ? [node.textContent?.trim() ?? ''] : []))
      .filter((text) => text !== '');
    const line = [' '.repeat(depth) + element.localName, element.getAttribute('class'), words.join(' ')];
    lines.push(line.filter((part) => part).join(' '));
    for (const child of element.children) if (child.checkVisibility()) add(child, depth + 1);
  };
  for (const root of document.querySelectorAll('#app, #live')) add(root, 0);
  return lines.join('\n');
}

async function takePictures(browser: Browser): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  const { copy, report } = await recordCampaign();
  onTestFinished(() => copy.remove());
  for (const colorScheme of ['dark', 'light'] as const) {
    const viewport = { width: 1280, height: 720 };
    const context = await browser.newContext({ viewport, colorScheme, offline: true });
    const page = await openPage(context, pathToFileURL(report).href);
    for (const [name, go] of Object.entries(SHOTS)) {
      await go(page);
      await takePicture(page, `${name}-${colorScheme}.webp`);
    }
    await context.close();
    const live = { picture: await picturesIn(copy), colorScheme };
    await onLivePage(browser, live, (shown) => takePicture(shown, `${LIVE}-${colorScheme}.webp`));
  }
}

async function takePicture(page: Page, name: string): Promise<void> {
  await page.waitForFunction(() =>
    [...document.images].every((image) => image.complete && image.naturalWidth > 0),
  );
  const picture = sharp(await page.screenshot({ animations: 'disabled' }));
  await picture.webp({ quality: 86, effort: 6, smartSubsample: true }).toFile(join(FOLDER, name));
}
