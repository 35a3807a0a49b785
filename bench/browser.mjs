/** What a browser does with a page from the disk: how soon its pictures are there, and how long it is busy while somebody scrolls. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const SIZE = { width: 1280, height: 720 };
/** So many pictures have to be decoded and in view. */
const PICTURES = 12;

export const hasBrowser = CHROMIUM !== undefined;

/** Milliseconds; `slowdown` makes the processor so many times slower. */
export async function openPage(file, slowdown) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const context = await browser.newContext({ viewport: SIZE, offline: true });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(watch, PICTURES);
    await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' });
    const shown = await page.waitForFunction(() => globalThis.shownAfter, undefined, { timeout: 60_000 });
    const shownMs = await shown.jsonValue();
    await page.waitForLoadState('load');
    await page.waitForTimeout(500);
    await page.evaluate(() => globalThis.busy.splice(0));
    await page.mouse.move(SIZE.width / 2, SIZE.height / 2);
    for (let n = 0; n < 40; n++) {
      await page.mouse.wheel(0, 1500);
      await page.waitForTimeout(50);
    }
    const busy = await page.evaluate(() => globalThis.busy);
    return { shownMs, longestTaskMs: Math.max(0, ...busy) };
  } finally {
    await browser.close();
  }
}

/** Runs in the page, before anything of it. */
function watch(least) {
  globalThis.busy = [];
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.busy.push(duration);
  }).observe({ type: 'longtask' });
  const isShown = (image) => {
    const { top, bottom, width } = image.getBoundingClientRect();
    return image.complete && image.naturalWidth > 0 && width > 40 && bottom > 0 && top < innerHeight;
  };
  const look = () => {
    if ([...document.images].filter(isShown).length >= least) globalThis.shownAfter = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
