/** `npm run pictures` writes what these tests compare: docs/pictures/, made from what the program shows on a terminal. */
import { join } from 'node:path';
import type { Terminal } from '@xterm/headless';
import { expect, it } from 'vitest';
import { terminalDuringRun } from '../support/live-picture.ts';
import { terminalSvg } from '../support/terminal-svg.ts';
import { ROOT } from './page-blocks.ts';

interface Picture {
  readonly name: string;
  /** For those who do not see it. */
  readonly title: string;
  readonly typed: string;
  readonly terminal: () => Promise<Terminal>;
}

const PICTURES: readonly Picture[] = [
  {
    name: 'live-block.svg',
    title: 'campaign apply on a terminal: rows for posts, requests, what is waited for, files and cost',
    typed: 'campaign apply',
    terminal: () => terminalDuringRun(107_000),
  },
];

it.each(PICTURES)('docs/pictures/$name is what `npm run pictures` makes of it', async (picture) => {
  const svg = terminalSvg(await picture.terminal(), picture);
  const file = join(ROOT, 'docs', 'pictures', picture.name);
  await expect(svg, 'stale: run `npm run pictures`').toMatchFileSnapshot(file);
});
