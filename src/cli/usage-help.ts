import { type Command, Help } from 'commander';
import { nearest } from '../util/did-you-mean.ts';
import { SHARED_GROUP } from './flags.ts';

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

export function pointToHelp(command: Command, before: string): void {
  const name = `${before} ${command.name()}`;
  command.showHelpAfterError(`(${name} --help lists its flags)`);
  for (const child of command.commands) pointToHelp(child, name);
}

/** Replaces commander's suggestions that are too far from what was typed, such as `history` for `destroy`. */
export function betterHint(text: string): string {
  const [, kind, unknown = '', guess = ''] =
    /unknown (option|command) '([^']*)'(?:\n\(Did you mean (?:one of )?(.*)\?\))?/.exec(text) ?? [];
  const [first = text] = text.split('\n');
  // Other tools have this flag.
  if (kind === 'option' && unknown === '--dry-run')
    return `${first}\n(\`campaign plan\` shows what apply would do, and sends nothing)\n`;
  const isFar = guess !== '' && nearest(unknown, guess.split(', ')) === undefined;
  return kind === 'command' && isFar ? `${first}\n` : text;
}
