import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aloneIn } from '../../src/app/account.ts';
import { createRuntime } from '../../src/app/create-runtime.ts';
import { loadCampaign } from '../../src/app/load-campaign.ts';
import { writeReport } from '../../src/app/write-report.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { runHere } from '../support/run-here.ts';

/** What a name, a text or an answer of the service may hold. */
const HOSTILE = `</script><script>document.title='owned'</script><img src=x onerror="alert(1)"><!--'"\u202Egnp\u2028`;
const text = JSON.stringify(`${HOSTILE}${'w'.repeat(10_000)}`);

const MANIFEST = `version: 1
name: hostile
products:
  tote: { name: ${JSON.stringify(HOSTILE)}, images: ["#100%? 'a'.png"] }
concepts:
  morning: { description: ${text} }
posts:
  hero:
    concept: morning
    items:
      - { key: kitchen, post_type: image, products: [tote], aspect_ratio: "4:5", descriptions: [${text}] }
      - { key: tour, post_type: carousel, products: [tote], aspect_ratio: "1:1" }
      - { key: film, post_type: video, products: [tote], aspect_ratio: "9:16" }
  late:
    concept: morning
    items: [{ post_type: image, products: [tote], aspect_ratio: "16:9", descriptions: [never] }]
`;

describe.skipIf(!hasBrowser)('the file of campaign report', () => {
  let folder = '';
  let url = '';
  let serviceUrl = '';
  let browser: Browser;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'campaign-report-'));
    const service = await startBareService({ pendingPolls: 0, failing: ['16:9'], says: HOSTILE });
    serviceUrl = service.url;
    try {
      await writeFile(join(folder, 'm.yaml'), MANIFEST);
      const create = { width: 400, height: 500, channels: 3, background: '#7a9' } as const;
      await sharp({ create }).toFile(join(folder, "#100%? 'a'.png"));
      const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: 'a-key-of-the-test' };
      const run = (...args: string[]) => runHere(args, { cwd: folder, env });
      expect(await run('apply', 'm.yaml', '--quiet')).toMatchObject({ code: 1 });
      await run('reject', 'm.yaml', 'media/hero/kitchen', '--note', HOSTILE);
      expect(await run('report', 'm.yaml', '--out', 'report.html')).toMatchObject({ code: 0 });
    } finally {
      await service.close();
    }
    url = pathToFileURL(join(folder, 'report.html')).href;
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('asks nobody for anything, breaks no policy, and runs nothing that a text says', async () => {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', ({ message }) => heard.push(message));
    page.on('dialog', (dialog) => heard.push(dialog.message()));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:')) heard.push(request.url());
    });
    await page.exposeFunction('tellBroken', (what: string) => heard.push(what));
    await page.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => tellBroken(event.violatedDirective))`,
    );
    await page.goto(url);
    await page.waitForFunction(() =>
      [...document.images].some((image) => image.complete && image.naturalWidth > 0),
    );
    expect(heard).toEqual([url]);
    expect(await page.title()).toContain('hostile');
    // Nothing but what the page itself makes.
    expect(
      await page.locator('img[onerror], script:not([type]):not(:only-of-type) ~ script:not([type])').count(),
    ).toBe(0);
    await context.close();
  });

  it('shows the pictures of a folder beside it, whatever its name', async () => {
    const out = join(folder, 'large #1 100%?.html');
    const env = { CAMPAIGN_BASE_URL: serviceUrl, CAMPAIGN_API_KEY: 'a-key-of-the-test' };
    const runtime = createRuntime({ env, emit: () => undefined });
    const file = join(folder, 'm.yaml');
    const loaded = await loadCampaign(runtime, { file, need: 'environment', outside: 'refuse', target: '' });
    if (!loaded.ok) throw new Error(loaded.error.problems[0]?.summary);
    const wanted = { out, accounts: aloneIn(runtime), target: '', mostText: 0 };
    const beside = join(folder, 'large #1 100%?-thumbnails');
    expect(await writeReport(runtime, loaded.value, wanted)).toMatchObject({ ok: true, value: { beside } });

    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', ({ message }) => heard.push(message));
    await page.addInitScript(() =>
      addEventListener('securitypolicyviolation', (event) => console.error(event.violatedDirective)),
    );
    await page.goto(pathToFileURL(out).href);
    const shown = await page.waitForFunction(() => {
      const images = [...document.querySelectorAll<HTMLImageElement>('.tile img')];
      const isThere = images.length > 0 && images.every(({ complete }) => complete);
      return isThere && images.map(({ src, naturalWidth }) => ({ src, naturalWidth }));
    });
    const images = (await shown.jsonValue()) || [];
    expect(images.length).toBeGreaterThan(1);
    for (const { src, naturalWidth } of images) {
      expect(src.startsWith(pathToFileURL(`${beside}/`).href), src).toBe(true);
      expect(naturalWidth).toBeGreaterThan(0);
    }
    expect(heard).toEqual([]);
    await context.close();
  });

  it('can be read where scripts are off', async () => {
    const context = await browser.newContext({ offline: true, javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    expect(await page.locator('h1').textContent()).toBe('hostile default');
    expect(await page.getByRole('table', { name: 'Posts', exact: true }).innerText()).toContain('failed');
    const coverage = page.getByRole('table', { name: /^Coverage/ });
    expect(await coverage.getByRole('columnheader').allInnerTexts()).toEqual([
      'product',
      'all',
      'morning',
      '4:5 image',
      '1:1 carousel',
      '9:16 video',
      '16:9 image',
    ]);
    expect(await coverage.getByRole('rowheader').first().innerText()).toContain(
      "</script><script>document.title='owned'",
    );
    const open = page.getByRole('table', { name: /failed/ });
    expect(await open.getByRole('rowheader').allInnerTexts()).toEqual(['failed']);
    expect(await open.getByRole('cell').last().innerText()).toMatch(/^media\/late\/1 \(m\.yaml:\d+\)$/);
    await context.close();
  });
});
