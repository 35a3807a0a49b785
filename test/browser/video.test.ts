import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { hasBrowser, openBrowser } from '../support/browser.ts';
import { copyExample } from '../support/example.ts';
import { runCli } from '../support/run-cli.ts';

describe('a generated video', () => {
  it.skipIf(!hasBrowser)('plays in a browser, in the asked aspect ratio', async () => {
    const example = await copyExample('quickstart');
    onTestFinished(() => example.remove());
    const args = ['apply', '--env', 'emulator', '--only', 'media/after-dark/film'];
    const { stdout, code } = await runCli(args, { cwd: example.folder });
    expect(stdout).toMatch(/1 file downloaded\.\n/);
    expect(code).toBe(0);

    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const file = join(example.folder, 'out/quickstart/emulator/after-dark/film-video.mp4');
    // Chromium shows a video file in a page of its own, with a player.
    await page.goto(pathToFileURL(file).href);
    const played = await page.evaluate<{ width: number; height: number; seconds: number }>(`(async () => {
      const video = document.querySelector('video');
      video.muted = true;
      await video.play();
      await new Promise((resolve) => video.addEventListener('ended', resolve, { once: true }));
      return { width: video.videoWidth, height: video.videoHeight, seconds: video.currentTime };
    })()`);
    expect(played).toMatchObject({ width: 360, height: 640 });
    expect(played.seconds).toBeGreaterThan(1);
  });
});
