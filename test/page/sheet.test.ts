import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readLedger } from '../../src/emulator/emulator.ts';
import { readDecisionsText } from '../../src/page/decisions-file.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { runHere } from '../support/run-here.ts';
import { sheetData, sheetPicture, sheetPost } from '../support/sheet-data.ts';
import { HOSTILE, odditiesData, openSheet, writeSheet } from './sheet-page.ts';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** The sweep judges 500 pictures with real keys. */
const JUDGED = process.env['SWEEP'] === 'full' ? 500 : 20;

let browser: Awaited<ReturnType<typeof openBrowser>>;

async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

const framed = (page: Page) => page.locator('.tile.framed').getAttribute('title');
const dialog = (page: Page) => page.locator('dialog[open]').last();

/** What axe finds that keeps people out; it is evaluated from outside, so that the page's policy holds. */
async function accessProblems(page: Page, rules?: readonly string[]): Promise<unknown[]> {
  const options = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) };
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ' ' + html.slice(0, 200))))`);
}

describe.skipIf(!hasBrowser)('the contact sheet', () => {
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  it('is walked by the keyboard alone, whatever the campaign holds', async () => {
    const { page, heard } = await openSheet(browser, await writeSheet(odditiesData()));
    expect(await framed(page)).toBe('media/hero/image');
    expect(await page.locator('.decided').textContent()).toBe('1 of 8 decided');
    await page.locator('.lack', { hasText: 'The preview is damaged.' }).waitFor();
    await page.locator('.lack', { hasText: 'There is no file of it here.' }).waitFor();
    expect(await page.locator('.tile img').count()).toBe(4);
    // The browser decodes the first frame itself.
    const widthOf = (video: HTMLVideoElement) => video.videoWidth;
    await expect.poll(() => page.locator('.tile video').evaluate(widthOf)).toBe(64);
    expect(await page.locator('.tile', { hasText: '<img src=x' }).count()).toBe(3);

    // The large view: full picture, product photo, slider, zoom, slides, film.
    await press(page, 'Enter');
    const picture = page.locator('.large .stage img').first();
    await expect.poll(() => picture.getAttribute('src')).toBe('./portrait%20%231.jpg');
    expect(await page.locator('.details').textContent()).toContain(HOSTILE[0]);
    await page.keyboard.down('\\');
    await expect.poll(() => picture.getAttribute('src')).toBe('./wide.jpg');
    await page.keyboard.up('\\');
    await press(page, 'b');
    await page.locator('.before-after').focus();
    await press(page, 'ArrowRight', 'ArrowRight');
    expect(await page.locator('.before-after').inputValue()).toBe('52');
    await press(page, 'b', 'z');
    await expect.poll(() => picture.boundingBox()).toMatchObject({ width: 300, height: 400 });
    await press(page, 'ArrowRight', 'ArrowDown', 'ArrowDown');
    expect(await page.locator('.slides').textContent()).toContain('Slide 3 of 3');
    await press(page, 'ArrowRight');
    await expect.poll(() => page.locator('.large video').evaluate(widthOf)).toBe(64);

    // The takes of one post.
    await press(page, 'ArrowRight', 'c');
    expect(await page.locator('.pane').count()).toBe(2);
    await press(page, 'ArrowLeft', 'p');
    expect(await dialog(page).locator('.said').textContent()).toContain('This is an older take.');
    await press(page, 'l');
    expect(await page.locator('.pane').first().textContent()).toContain('pinned');
    await press(page, 'p', 'Escape', 'Escape');
    expect(await framed(page)).toBe('media/hero/takes');
    expect(await page.locator('.decided').textContent()).toBe('2 of 8 decided');

    // What is not finished, not there, or hostile.
    await press(page, 'ArrowRight', 'p');
    expect(await page.locator('.said').textContent()).toContain('media/hero/failed is failed');
    await press(page, 'Enter');
    expect(await page.locator('.large .lack').textContent()).toContain(HOSTILE[1]);
    await press(page, 'Escape', 'n');
    expect(await page.locator('dialog').count()).toBe(0);
    await press(page, 'End', 'ArrowLeft', 'ArrowLeft', 'Enter');
    await page.locator('.large .stage .lack', { hasText: '<img src=x' }).waitFor();
    await press(page, 'Escape', 'x');
    await page.keyboard.insertText(HOSTILE[2] ?? '');
    await press(page, 'Enter', '?', 'Escape', '/');
    await page.keyboard.type('hero/lost');
    await press(page, 'Enter', 'ArrowDown');
    expect(await framed(page)).toBe('media/hero/lost');
    await page.locator('.grid-heading', { hasText: '1 post' }).waitFor();
    await press(page, '/');
    await page.keyboard.type('nothing of this kind');
    await page.locator('.empty').waitFor();
    await press(page, 'Enter', 'p');
    expect(await page.locator('.said').textContent()).toBe('There is no picture to judge.');
    await page.locator('.empty button').click();
    await page.locator('.tile.framed').waitFor();
    expect(heard).toEqual([]);
  });

  it(`judges ${JUDGED} pictures, one by one, and takes each verdict back`, async () => {
    const names = Array.from({ length: JUDGED + 1 }, (_, index) => `grid/${index}`);
    const data = sheetData(
      names.map((name) => sheetPost(name)),
      { pictures: [sheetPicture({ path: 'wide.jpg' })] },
    );
    const { page, heard } = await openSheet(browser, await writeSheet(data));
    const decided = () => page.locator('.decided strong').textContent();
    for (const [index, name] of names.slice(0, JUDGED).entries()) {
      expect(await framed(page)).toBe(`media/${name}`);
      await press(page, ...(index % 2 ? ['Shift+X', 'Enter'] : ['Shift+P']));
      expect(await decided()).toBe(`${index + 1}`);
    }
    for (let left = JUDGED; left > 0; left--) {
      await press(page, 'Control+z');
      expect([await decided(), await framed(page)]).toEqual([`${left - 1}`, `media/grid/${left - 1}`]);
    }
    // One question for all that are selected.
    await press(page, 'Shift+ArrowRight', 'Shift+ArrowRight');
    expect(await page.locator('.judge .reject').textContent()).toContain('Reject 3');
    await press(page, 'x', 'Enter');
    expect(await decided()).toBe('3');
    // Above ten another one, which Enter does not answer with yes.
    await press(page, 'Home', 'p', 'Control+a', 'x');
    await page.keyboard.type('too dark');
    await press(page, 'Enter');
    const cost = (JUDGED * 0.1).toFixed(2);
    expect(await dialog(page).textContent()).toContain(
      `The next apply requests ${JUDGED} posts again, and pays for them: ${cost} EUR.Reason: too dark1 approved post is left out.`,
    );
    await press(page, 'Enter');
    expect([await decided(), await dialog(page).locator('input').inputValue()]).toEqual(['3', 'too dark']);
    await press(page, 'Enter', 'Tab', 'Enter');
    expect([await decided(), await page.locator('dialog').count()]).toEqual([`${JUDGED + 1}`, 0]);
    expect(await page.locator('.said').textContent()).toContain(
      `Rejected ${JUDGED} posts. 1 approved post is left`,
    );
    expect(heard).toEqual([]);
  });

  it('asks before verdicts are lost, and merges the file of another reviewer', async () => {
    const data = odditiesData();
    const { page, heard } = await openSheet(browser, await writeSheet(data));
    const asked: string[] = [];
    page.on('dialog', (asks) => {
      asked.push(asks.type());
      void asks.dismiss();
    });
    await press(page, 'p');
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(['beforeunload']);

    await page.locator('.head button', { hasText: 'Export' }).click();
    const file = `version: 1\ndecisions:\n  - { post: media/hero/image, media: medium of hero/image, verdict: rejected, at: 2099-01-01T00:00:00Z }\n`;
    const input = page.locator('.export input[type=file]');
    await input.setInputFiles({ name: 'bo.yaml', mimeType: '', buffer: Buffer.from(file) });
    await page.locator('.confirm', { hasText: 'It is approved now.' }).waitFor();
    await page.evaluate(await readFile(AXE, 'utf8'));
    expect(await accessProblems(page)).toEqual([]);
    await page.locator('.confirm .reject').click();
    await page.locator('.export .said', { hasText: 'Read 1 decision: 1 newer than here.' }).waitFor();
    await input.setInputFiles({ name: 'bo.yaml', mimeType: '', buffer: Buffer.from('nonsense') });
    await page.locator('.export .said', { hasText: 'bo.yaml: This is no file of decisions' }).waitFor();
    const text = await page.locator('.export textarea').inputValue();
    const read = readDecisionsText(text);
    const verdicts = read.ok ? read.value.map(({ media, verdict }) => `${media} ${verdict}`) : [];
    expect(verdicts).toEqual(['medium of hero/image rejected', 'medium of hero/noted rejected']);
    await page.getByText('Copy', { exact: true }).click();
    await expect.poll(() => page.locator('.head').textContent()).toContain('Decisions file');
    expect(heard).toEqual([]);
  });

  it('is open to everybody: light and dark, desktop and phone', async () => {
    const file = await writeSheet(odditiesData());
    const axe = await readFile(AXE, 'utf8');
    const sizes = [
      { width: 1280, height: 720 },
      { width: 390, height: 844 },
    ];
    for (const colorScheme of ['light', 'dark'] as const) {
      for (const viewport of sizes) {
        const { page, heard } = await openSheet(browser, file, { colorScheme, viewport });
        await page.evaluate(axe);
        // Colours are all that the other scheme changes.
        const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
        const problems = () => accessProblems(page, rules);
        await press(page, 'Shift+P', 'Shift+ArrowRight');
        const found = [await problems()];
        await press(page, 'c', 'l');
        found.push(await problems());
        await press(page, 'Escape', 'Enter', 'x');
        found.push(await problems());
        if (viewport.width > 1000) {
          await press(page, 'Escape', 'Escape', '?');
          found.push(await problems());
          await press(page, 'Escape');
          await page.locator('.head button', { hasText: 'Export' }).click();
          found.push(await problems());
        }
        expect({ colorScheme, viewport, found: found.flat() }).toEqual({ colorScheme, viewport, found: [] });
        const wide = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
        expect(await page.evaluate(wide)).toBe(false);
        expect(heard).toEqual([]);
      }
    }
  });

  it('shows enough of a campaign at once', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `grid/${index}`);
    const { page } = await openSheet(
      browser,
      await writeSheet(sheetData(names.map((name) => sheetPost(name)))),
    );
    await page.locator('.tile img').first().waitFor();
    const boxes = await page
      .locator('.tile')
      .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().bottom));
    const bottom = await page.locator('.judge').evaluate((bar) => bar.getBoundingClientRect().top);
    expect(boxes.filter((each) => each <= bottom).length).toBeGreaterThanOrEqual(12);
    expect(await page.locator('.decided').isVisible()).toBe(true);
    // Nothing moves while one judges.
    const top = () =>
      page
        .locator('.tile')
        .first()
        .evaluate((tile) => tile.getBoundingClientRect().top);
    const before = await top();
    await press(page, 'p');
    await page.locator('.tile.dimmed').waitFor();
    expect(await top()).toBe(before);
  });

  it('exports what an apply reads, which requests only what was rejected', async () => {
    const cwd = await smallCampaign();
    const apply = ['apply', '--env', 'emulator', '--profile', 'fast.yaml'];
    expect(await runHere(apply, { cwd })).toMatchObject({ code: 0 });
    expect(await runHere(['report', '--env', 'emulator'], { cwd })).toMatchObject({ code: 0 });
    const { page, heard } = await openSheet(browser, join(cwd, 'out/small/emulator/report.html'));
    await press(page, 'Shift+P', 'x');
    await page.keyboard.insertText(HOSTILE[1] ?? '');
    await press(page, 'Enter');
    expect(await framed(page)).toBe('media/hero/wide');
    await page.locator('.head button', { hasText: 'Export 2 new' }).click();
    expect(await dialog(page).textContent()).toContain(
      'Its place is .campaign/small.emulator.decisions.yaml',
    );
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Enter')]);
    expect(download.suggestedFilename()).toBe('small.emulator.decisions.yaml');
    await copyFile(await download.path(), join(cwd, '.campaign', download.suggestedFilename()));
    expect(heard).toEqual([]);

    const ledger = () => readLedger(join(cwd, '.campaign', 'small.emulator.data'));
    const before = ledger().length;
    expect(await runHere(apply, { cwd })).toMatchObject({ code: 0 });
    expect(ledger().length).toBe(before + 1);
    const files = await readdir(join(cwd, 'out/small/emulator/hero'));
    expect(files.filter((name) => name.includes('.take1.'))).toEqual(['wide-image.take1.jpg']);
  });
});

async function smallCampaign(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-small-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const photo = sharp({ create: { width: 64, height: 64, channels: 3, background: '#c96' } }).jpeg();
  await photo.toFile(join(folder, 'tote.jpg'));
  const item = (key: string) => `{ key: ${key}, post_type: image, products: [tote], aspect_ratio: "1:1" }`;
  await writeFile(
    join(folder, 'campaign.yaml'),
    `version: 1
name: small
products: { tote: { images: [tote.jpg] } }
concepts: { day: { description: Soft light } }
posts: { hero: { concept: day, items: [${['tall', 'wide', 'square'].map(item).join(', ')}] } }
`,
  );
  await writeFile(
    join(folder, 'fast.yaml'),
    'description: At once.\nswitches: { generation: { image: 0ms, carousel: 0ms, video: 0ms } }\n',
  );
  return folder;
}
