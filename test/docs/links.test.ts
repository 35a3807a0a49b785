/** Links between README, docs and other files of the repository lead somewhere. */
import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, it } from 'vitest';
import { PAGES, readPage, ROOT } from './page-blocks.ts';

/** As code hosts make it of a heading. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 _-]/g, '')
    .replaceAll(' ', '-');
}

function anchorsOf(page: string): string[] {
  return [...readPage(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));
}

function leadsSomewhere(page: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? page : normalize(join(dirname(page), file));
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || anchorsOf(target).includes(anchor);
}

it.each(PAGES)('%s links to what is there', (page) => {
  const links = [...readPage(page).matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const wrong = links.filter((link) => !/^https?:/.test(link) && !leadsSomewhere(page, link));
  expect(wrong).toEqual([]);
});

it('README leads to every page of docs/', () => {
  const readme = readPage('README.md');
  const pages = PAGES.filter((page) => /^docs\/[^/]+$/.test(page));
  expect(pages.filter((page) => !readme.includes(`(${page}`))).toEqual([]);
});

it('README is short', () => {
  expect(readPage('README.md').split('\n').length).toBeLessThanOrEqual(151);
});
