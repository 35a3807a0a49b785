import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageHtml } from '../../src/report/page-html.ts';
import type { ReportData } from '../../src/views/report-data.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { fullScreens, HOSTILE } from '../support/screens-data.ts';
import { sheetData, sheetPost, sheetTake } from '../support/sheet-data.ts';

const SCREENS = ['Summary', 'Coverage', 'Failures', 'Changes', 'Decisions', 'Cost', 'Timeline', 'Graph'];
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

describe.skipIf(!hasBrowser)('the screens of the page', () => {
  let browser: Browser;
  let page: Page;
  let folder: string;
  const heard: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'screens-'));
    browser = await openBrowser();
    page = await (await browser.newContext({ offline: true })).newPage();
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', ({ message }) => heard.push(message));
    page.on('dialog', (dialog) => void dialog.dismiss().then(() => heard.push('a dialog')));
    await open(FULL);
  });
  afterAll(async () => {
    await browser.close();
    await rm(folder, { recursive: true });
  });

  async function open(data: ReportData): Promise<void> {
    const file = join(folder, 'report.html');
    const built = (name: string) => readFile(join(import.meta.dirname, '../../dist', name), 'utf8');
    const [script, style] = await Promise.all([built('page.js'), built('page-style.css')]);
    await writeFile(file, [...pageHtml({ data, script, style })].join(''));
    await page.goto(pathToFileURL(file).href);
  }

  const show = (name: string) => page.getByRole('tab', { name, exact: true }).click();
  const text = () => page.locator('section.screen').innerText();
  const link = (name: RegExp | string) => page.locator('section.screen').getByRole('link', { name }).first();

  async function seen(): Promise<Record<string, string>> {
    const texts: Record<string, string> = {};
    for (const name of SCREENS) {
      await show(name);
      texts[name] = await text();
      const { width, most } = await page.evaluate(() => ({
        width: document.documentElement.scrollWidth,
        most: innerWidth,
      }));
      expect([name, width]).toEqual([name, most]);
    }
    return texts;
  }

  it('show what they have without a request or a message, wide and narrow, light and dark', async () => {
    const wide = await seen();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.emulateMedia({ colorScheme: 'dark' });
    const narrow = await seen();
    for (const texts of [wide, narrow]) {
      expect(texts['Summary']).toContain('hero/2026-w47');
      expect(texts['Coverage']).toContain('<script>alert(1)</script>');
      expect(texts['Failures']).toContain('m.yaml:31');
      expect(texts['Changes']).toContain('1 newly failed');
      expect(texts['Decisions']).toContain('spent: a newer take was requested');
      expect(texts['Cost']).toContain('0.20 of 90.00 EUR');
      expect(texts['Timeline']).toContain('waiting for the service to generate the posts');
      expect(texts['Graph']).toContain('Drawn together: 40 posts');
    }
    expect(heard).toEqual([]);
  });

  it('have nothing that axe finds serious', async () => {
    await page.evaluate(await readFile(AXE, 'utf8'));
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours are all that the other scheme changes, and these screens have them all.
      for (const name of colorScheme === 'light' ? SCREENS : ['Summary', 'Coverage', 'Timeline']) {
        await show(name);
        const found = await page.evaluate(async () => {
          const { axe } = window as never as { axe: typeof import('axe-core') };
          const rules = matchMedia('(prefers-color-scheme: dark)').matches ? ['color-contrast'] : undefined;
          const { violations } = await axe.run('section.screen', rules ? { runOnly: rules } : {});
          const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
          return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
        });
        expect([name, colorScheme, found]).toEqual([name, colorScheme, []]);
      }
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  it('lead into the contact sheet, by the keyboard too', async () => {
    const tiles = () => page.locator('[role=grid] .tile[title*="hero/"]').count();
    await show('Coverage');
    await link('M'.repeat(20)).focus();
    await page.keyboard.press('Enter');
    expect(await tiles()).toBe(1);
    await show('Changes');
    await link('Show 1 post on the sheet').click();
    expect(await tiles()).toBe(1);
    await show('Failures');
    await link('media/hero/2').click();
    expect(await tiles()).toBe(POSTS.length);
    await show('Summary');
    await link('1 failed').click();
    expect(await tiles()).toBe(1);
  });

  it('sort, choose, copy and enlarge', async () => {
    await show('Cost');
    const table = page.getByRole('region', { name: 'Cost by product' });
    const first = table.locator('tbody th').first();
    expect(await first.innerText()).toContain('alert');
    await table.getByRole('button', { name: 'Posts' }).click();
    expect(await first.innerText()).toContain('none of this campaign');
    await show('Timeline');
    await page.getByLabel('Run').selectOption('b0000000');
    expect(await text()).toContain('Only the summary of this run is kept');
    await show('Graph');
    await page.getByRole('button', { name: 'Larger' }).click();
    expect(await page.locator('section.screen img').getAttribute('width')).toBe('50');
    await show('Summary');
    await page.getByRole('button', { name: 'Copy campaign apply m.yaml' }).click();
    await expect.poll(text).toMatch(/Copied|Press Ctrl\+C/);
    await show('Coverage');
    await page.getByLabel('Only products that are not complete').check();
    expect(await page.locator('.coverage tbody tr').count()).toBe(2);
  });

  it('say what is not there yet, and how it comes', async () => {
    await open(sheetData([]));
    const said: string[] = [];
    for (const name of SCREENS) {
      await show(name);
      said.push(`${name}: ${await page.locator('.nothing').first().innerText()}`);
    }
    expect(said).toMatchInlineSnapshot(`
      [
        "Summary: The manifest asks for no post yet. Add a post plan under posts: and make the report again.",
        "Coverage: The manifest asks for no post yet, so there is nothing to cover.",
        "Failures: Nothing has failed, and nothing waits for a decision.",
        "Changes: No run has changed this state yet.",
        "Decisions: Nothing is decided yet. On the sheet, P approves the framed picture and X rejects it.",
        "Cost: Nothing was requested yet, so nothing has a cost.",
        "Timeline: No run has changed this state yet.",
        "Graph: The graph could not be drawn. campaign graph --format mermaid writes it as text.",
      ]
    `);
    expect(heard).toEqual([]);
  });
});

const POSTS = [
  sheetPost('hero/1', {
    takes: [sheetTake('a', { decision: rejected() }), sheetTake('b', { take: 2 })],
  }),
  sheetPost('hero/2', { status: 'failed', takes: [] }),
  sheetPost('hero/3', { status: 'missing', product: 'mug', concept: 'night', takes: [] }),
  sheetPost('hero/4', {
    outOfDate: true,
    concept: null,
    takes: [sheetTake('c', { decision: rejected() })],
  }),
];

const SHEET = sheetData(POSTS);

const FULL = sheetData(POSTS, {
  ...fullScreens('media/hero/2'),
  counts: { ...SHEET.counts, failed: 1, missing: 1, outdated: 1 },
  products: [
    { key: 'tote', name: HOSTILE, photos: [] },
    { key: 'mug', name: 'M'.repeat(10_000), photos: [] },
  ],
});

function rejected() {
  return { verdict: 'rejected', note: HOSTILE, by: 'anna', at: '2026-11-22T10:00:00.000Z' } as const;
}
