import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

if (CHROMIUM === undefined) {
  console.warn('\n  BROWSER TESTS ARE SKIPPED: no Chromium here. `apt-get install chromium` brings one.\n');
}

/** Whether the tests that need a browser can run. */
export const hasBrowser = CHROMIUM !== undefined;

/** Starts the browser of this machine; it asks nobody else for anything. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: CHROMIUM ?? '',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
