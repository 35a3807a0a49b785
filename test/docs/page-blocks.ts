/**
 * The fenced blocks of README and docs. The first word behind the fence is the language, the second one is ours:
 *
 * - `sh`: run by shell-blocks.test.ts, in order, in one folder for each page
 * - `sh FILE`, `js FILE`: run by that file (a test, or `.ci/run`), which has to name the page
 * - `yaml FILE`: written to that file of the page's folder, before the blocks after it run
 * - `text output`: lines that the `sh` block before it prints, in this order; lines between them may be left out
 * - `yaml`, `json`, `ts`, `text`, `console` alone: shown only
 *
 * Anything else is a mistake, so that no command is passed over silently.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

/** README and all pages below docs/, by their path from the root. */
export const PAGES: readonly string[] = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`)
    .sort(),
];

export interface Block {
  readonly line: number;
  readonly language: string;
  /** The second word behind the fence. */
  readonly note: string | undefined;
  readonly text: string;
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let open: { line: number; info: string; lines: string[] } | undefined;
  for (const [index, line] of readPage(page).split('\n').entries()) {
    const [, info] = /^\s*```(.*)$/.exec(line) ?? [];
    if (info === undefined) open?.lines.push(line);
    else if (open === undefined) open = { line: index + 1, info, lines: [] };
    else {
      const [language = '', note] = open.info.split(' ');
      blocks.push({ line: open.line, language, note, text: `${open.lines.join('\n')}\n` });
      open = undefined;
    }
  }
  return blocks;
}
