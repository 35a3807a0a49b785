import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { copyExample } from '../support/example.ts';
import { runCli } from '../support/run-cli.ts';

describe('the file of campaign report', () => {
  it.skipIf(!hasBrowser)('opens from the disk without a request or a message', async () => {
    const example = await copyExample('quickstart', { photos: 'stand-ins' });
    onTestFinished(() => example.remove());
    const { folder: cwd } = example;
    await runCli(['apply', '--env', 'emulator', '--profile', 'calm', '--only', 'media/hero/*'], { cwd });
    expect(await runCli(['report', '--env', 'emulator'], { cwd })).toMatchObject({ code: 0, stderr: '' });

    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const heard: string[] = [];
    page.on('console', (message) => heard.push(message.text()));
    page.on('pageerror', ({ message }) => heard.push(message));
    page.on('request', (request) => heard.push(request.url()));
    const url = pathToFileURL(join(cwd, 'out/quickstart/emulator/report.html')).href;
    await page.goto(url);
    expect(await page.locator('h1').first().textContent()).toContain('quickstart');
    expect(heard).toEqual([url]);
  });
});
