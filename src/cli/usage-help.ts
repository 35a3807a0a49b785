/** Messages about wrong usage, and the order in which help lists flags. */
import { type Command, Help } from 'commander';
import { nearest } from '../util/did-you-mean.ts';
import { SHARED_GROUP } from './flags.ts';

/** Flags of the command come first, shared flags last. */
export const ownFirst: Help['groupItems'] = (unsorted, visible, getGroup) => {
  const groups = new Help().groupItems(unsorted, visible, getGroup);
  const shared = groups.get(SHARED_GROUP);
  if (!shared) return groups;
  groups.delete(SHARED_GROUP);
  return groups.set(SHARED_GROUP, shared);
};

export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Names the help of the command in its messages about wrong usage. */
export function pointToHelp(command: Command, before: string): void {
  const name = `${before} ${command.name()}`;
  command.showHelpAfterError(`(${name} --help lists its flags)`);
  for (const child of command.commands) pointToHelp(child, name);
}

/** Flags of other tools, and the command here that does the same. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  '--dry-run': '(`campaign plan` shows what apply would do, and sends nothing)',
};

/** Replaces commander's suggestions that are too far from what was typed, such as `history` for `destroy`. */
export function betterHint(text: string): string {
  const [, kind, unknown = '', guess = ''] =
    /unknown (option|command) '([^']*)'(?:\n\(Did you mean (?:one of )?(.*)\?\))?/.exec(text) ?? [];
  const elsewhere = ELSEWHERE[unknown];
  const [first = text] = text.split('\n');
  if (kind === 'option' && elsewhere !== undefined) return `${first}\n${elsewhere}\n`;
  const isFar = guess !== '' && nearest(unknown, guess.split(', ')) === undefined;
  return kind === 'command' && isFar ? `${first}\n` : text;
}
