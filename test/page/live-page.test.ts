/** docs/ui.md in a browser: what a person does stays through a thousand changes, and a lost connection is said. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { livePage } from '../../src/report/live-page.ts';
import { createFeed } from '../../src/ui/feed.ts';
import { serveUi } from '../../src/ui/server.ts';
import { realClock } from '../../src/util/clock.ts';
import type { Json } from '../../src/util/json.ts';
import { ok, err } from '../../src/util/result.ts';
import type { LiveData, SentDecision } from '../../src/views/live-data.ts';
import type { SheetPost, TakeDecision } from '../../src/views/report-data.ts';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { sheetData, sheetPicture, sheetPost, sheetTake } from '../support/sheet-data.ts';

const built = (name: string) => readFile(join(import.meta.dirname, '../../dist', name), 'utf8');
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
const POSTS = 220;
const LOST = 'b'.repeat(64);
const AT = '2026-11-22T12:00:00.000Z';

it.skipIf(!hasBrowser)(
  'keeps all that a person does through a thousand changes, and says what it cannot do',
  async () => {
    const picture = await sharp({ create: { width: 800, height: 1_000, channels: 3, background: '#58a' } })
      .png()
      .toBuffer();
    const feed = createFeed();
    const decided: SentDecision[][] = [];
    const verdicts = new Map<string, TakeDecision>();
    let posts: SheetPost[] = Array.from({ length: POSTS }, (_, n) => sheetPost(`hero/${n}`));
    let more: Pick<LiveData, 'problem' | 'running' | 'warnings'> = {
      problem: null,
      running: null,
      warnings: [],
    };
    const publish = () => {
      const shown = posts.map((post, index) => {
        const media = post.takes[0]?.media ?? '';
        const pictures = [index === POSTS - 1 ? 1 : 0];
        return {
          ...post,
          takes: [sheetTake('', { media, pictures, decision: verdicts.get(media) ?? null })],
        };
      });
      const pictures = [sheetPicture(), sheetPicture({ sha256: LOST })];
      feed.publish({ report: sheetData(shown, { pictures }), ...more } as unknown as Json);
    };
    const change = (times: number) => {
      for (let n = 0; n < times; n += 1) {
        posts = posts.map((post, index) =>
          index === n % POSTS ? { ...post, caption: `Change ${n}` } : post,
        );
        publish();
      }
    };
    publish();
    /** While it is silent, no sign of life is sent. */
    let isSilent = false;
    const waiting = new Set<() => void>();
    const clock = {
      ...realClock,
      after: (ms: number, fire: () => void) =>
        realClock.after(ms, () => (isSilent ? void waiting.add(fire) : fire())),
    };
    let problem: string | undefined;
    const served = {
      ...livePage({ script: await built('page.js'), style: await built('page-style.css') }),
      feed,
      picture: async (sha256: string) => (sha256 === LOST ? undefined : picture),
      async decide(sent: readonly SentDecision[]) {
        if (problem !== undefined) return err(problem);
        decided.push([...sent]);
        for (const { media, decision } of sent) {
          if (!decision) verdicts.delete(media);
          else
            verdicts.set(media, {
              verdict: decision.verdict,
              note: decision.note || null,
              by: 'anna',
              at: AT,
            });
        }
        publish();
        return ok({ left: [] });
      },
    };
    const server = await serveUi(served, { port: 0, clock });
    onTestFinished(() => server.close());
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const context = await browser.newContext({ viewport: { width: 1_280, height: 720 } });
    const page = await context.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', ({ message }) => heard.push(message));
    await page.goto(server.link);
    await page.locator('#screen').waitFor();
    expect(page.url()).not.toContain('#');
    expect(await page.locator('#live').textContent()).toBe('● Live: nothing is at work');

    const framed = () =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.id);
    const scrolled = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('*')].map(({ scrollTop }) => scrollTop).filter((top) => top > 0),
      );
    const seen = (text: string) => page.getByText(text, { exact: false }).first().waitFor();
    for (let n = 0; n < 9; n += 1) await page.keyboard.press('ArrowDown');
    const place = [await framed(), await scrolled()];
    expect(place[1]).not.toEqual([]);
    change(300);
    await page.waitForFunction(() => document.body.textContent?.includes('Change'));
    expect([await framed(), await scrolled()]).toEqual(place);

    await page.keyboard.press('Enter');
    await page.keyboard.press('z');
    const image = page.locator('dialog img').first();
    await image.waitFor();
    const box = await image.boundingBox();
    expect(box?.width).toBe(800);
    change(300);
    more = { ...more, running: '`campaign apply`' };
    publish();
    await page.locator('#live', { hasText: 'campaign apply' }).waitFor();
    expect(await image.boundingBox()).toEqual(box);
    await page.keyboard.press('Escape');

    await page.keyboard.press('n');
    await page.keyboard.type('handle is ');
    change(400);
    more = { ...more, running: null };
    publish();
    await page.locator('#live', { hasText: 'nothing' }).waitFor();
    await page.keyboard.type('cut off');
    await page.keyboard.press('Enter');
    expect([await framed(), await scrolled()]).toEqual(place);

    await page.keyboard.press('x');
    await page.keyboard.press('Enter');
    await expect.poll(() => decided.length).toBe(1);
    const [[first] = []] = decided;
    expect(first).toMatchObject({
      decision: { verdict: 'rejected', note: 'handle is cut off' },
      seen: 'undecided',
    });
    await page.keyboard.press('Control+z');
    await expect.poll(() => decided.length).toBe(2);
    expect(decided[1]).toEqual([{ media: first?.media, decision: null, seen: 'rejected' }]);

    expect(heard).toEqual([]);
    // What cannot be written stays, is said, and is written once it can be.
    problem = 'campaign.stage.decisions.yaml:3:5: It is broken.';
    await page.keyboard.press('p');
    await seen('It is broken');
    // Nor is it taken for written because somebody has copied it.
    await page.getByRole('button', { name: 'Decisions file' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.keyboard.press('Escape');
    problem = undefined;
    change(1);
    await expect.poll(() => decided.at(-1)?.[0]?.decision?.verdict).toBe('approved');
    more = { ...more, problem: 'campaign.yaml:3:1: There is no x.' };
    publish();
    await seen('What you see is older than its files: campaign.yaml:3:1');
    more = { ...more, problem: null };
    publish();

    // A second tab of this browser, on a phone in the dark, needs no token; each shows what the other has decided.
    const second = await context.newPage();
    await second.setViewportSize({ width: 390, height: 844 });
    await second.emulateMedia({ colorScheme: 'dark' });
    await second.goto(page.url());
    const decidedIn = (tab: Page, text: string) => tab.locator('.decided', { hasText: text }).waitFor();
    await decidedIn(second, '1 of');
    const written = decided.length;
    await second.keyboard.press('End');
    await second.getByText('Its file is not here').waitFor();
    await second.keyboard.press('p');
    await decidedIn(page, '2 of');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('x');
    await page.keyboard.press('Enter');
    await page.locator('.confirm .reject').click();
    await decidedIn(second, `${POSTS} of`);
    // No more at once than the server takes, however long the notes are; what was approved in either tab is left out.
    expect(decided.slice(written).map((each) => each.length)).toEqual([1, 200, POSTS - 202]);
    await second.evaluate(await readFile(AXE, 'utf8'));
    const found = await second.evaluate(async () => {
      const { axe } = window as never as { axe: typeof import('axe-core') };
      const { violations } = await axe.run(document);
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    });
    expect(found).toEqual([]);
    await second.close();
    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(server.link);
    await stranger.getByText('This link was used before').waitFor();

    isSilent = true;
    await seen('The connection is lost since');
    isSilent = false;
    for (const fire of waiting) fire();
    await page.locator('#live', { hasText: 'Live' }).waitFor();
    await server.close();
    await page.getByText('Start campaign ui to go on.').waitFor();
    const next = await serveUi(served, { port: Number(new URL(server.link).port), clock: realClock });
    onTestFinished(() => next.close());
    await page.getByText('Open the link that it has printed').waitFor();
  },
);
