/** What a browser does with a page from the disk: how soon its pictures are there, and how long it is busy while somebody uses it. */
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
const SIZE = { width: 1280, height: 720 };
/** So many pictures have to be on the screen. */
const PICTURES = 12;

export const hasBrowser = CHROMIUM !== undefined;

/**
 * Opens a page and scrolls through it. `slowdown` makes the processor so many times slower. Milliseconds: `shownMs` until the
 * pictures were painted, by the browser's own account (element timing); `cpuMs` of the page's thread until everything was read,
 * and `scrollCpuMs` of it while scrolling, which other programs on the machine hardly change; `longestTaskMs` while scrolling.
 */
export async function openPage(file, slowdown) {
  return inBrowser(async (page, session) => {
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(watch);
    await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
    const shown = await page.waitForFunction(
      (least) =>
        globalThis.painted.length >= least && globalThis.painted.toSorted((a, b) => a - b)[least - 1],
      PICTURES,
      { timeout: 60_000 },
    );
    const shownMs = await shown.jsonValue();
    await page.waitForTimeout(500);
    const cpuMs = await threadMs(session);
    await page.evaluate(() => globalThis.busy.splice(0));
    await page.mouse.move(SIZE.width / 2, SIZE.height / 2);
    for (let n = 0; n < 40; n++) {
      await page.mouse.wheel(0, 1500);
      await page.waitForTimeout(50);
    }
    const busy = await page.evaluate(() => globalThis.busy);
    const scrollCpuMs = (await threadMs(session)) - cpuMs;
    return { shownMs, cpuMs, scrollCpuMs, longestTaskMs: Math.max(0, ...busy) };
  });
}

/** Milliseconds from the click on each tab until `complete` says that all of its screen is there, and it has been drawn. */
export async function openScreens(file, screens) {
  return inBrowser(async (page) => {
    await page.goto(pathToFileURL(file).href, { waitUntil: 'load' });
    await page.waitForTimeout(500);
    const took = {};
    for (const [tab, complete] of Object.entries(screens)) {
      took[tab] = await page.evaluate(clickThrough, { tab, complete });
      await page.waitForTimeout(200);
    }
    return took;
  });
}

async function inBrowser(use) {
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const context = await browser.newContext({ viewport: SIZE, offline: true });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain: 'threadTicks' });
    return await use(page, session);
  } finally {
    await browser.close();
  }
}

async function threadMs(session) {
  const { metrics } = await session.send('Performance.getMetrics');
  return 1000 * metrics.find(({ name }) => name === 'TaskDuration').value;
}

/** Runs in the page, before anything of it. */
function watch() {
  globalThis.busy = [];
  globalThis.painted = [];
  const observe = (type, take) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  observe('longtask', ({ duration }) => globalThis.busy.push(duration));
  observe('element', ({ renderTime }) => globalThis.painted.push(renderTime));
  new MutationObserver(() => {
    for (const image of document.querySelectorAll('img:not([elementtiming])'))
      image.setAttribute('elementtiming', 'picture');
  }).observe(document, { childList: true, subtree: true });
}

/** Runs in the page. `complete`: a selector, and how many elements it finds in the end. */
async function clickThrough({ tab, complete: [selector, count] }) {
  const drawn = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const start = performance.now();
  [...document.querySelectorAll('[role=tab]')].find(({ textContent }) => textContent === tab).click();
  do await drawn();
  while (document.querySelectorAll(selector).length < count);
  return performance.now() - start;
}
