import { type Command, Help } from 'commander';
import { EXIT, type ExitCode } from '../model/exit.ts';
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

const MEANING: Readonly<Record<ExitCode, string>> = {
  [EXIT.ok]: 'done, or nothing to do',
  [EXIT.failed]: 'something failed; it is listed with its cause',
  [EXIT.changes]: 'only `plan --detailed-exitcode`: something would be sent',
  [EXIT.incomplete]: 'run again: posts are pending, or work was left to a later run',
  [EXIT.undecided]: 'a create has an unknown outcome and waits for `campaign resolve`',
  [EXIT.refused]:
    'finished posts were left as they are without --yes, a question was not answered with yes, or a saved plan is out of date',
  [EXIT.usage]: 'wrong usage',
  [EXIT.invalidManifest]: 'the manifest is wrong; nothing was sent',
  [EXIT.unavailable]: 'the service is down',
  [EXIT.bug]: 'a bug in campaign',
  [EXIT.cannotWrite]: 'the state or an output cannot be written',
  [EXIT.locked]: 'another run holds the lock',
  [EXIT.badState]:
    'the state is damaged, gone, under another name, of another campaign, or not the copy that counts',
  [EXIT.authentication]: 'the service refuses the key',
  [EXIT.configuration]: 'the configuration is wrong',
  [EXIT.sighup]: 'stopped by SIGHUP',
  [EXIT.sigint]: 'stopped by SIGINT (Ctrl-C)',
  [EXIT.sigterm]: 'stopped by SIGTERM',
};

export function exitCodesHelp(): string {
  const lines = Object.entries(MEANING).map(([code, meaning]) => `  ${code.padEnd(4)} ${meaning}`);
  return `\nExit codes:\n${lines.join('\n')}`;
}
