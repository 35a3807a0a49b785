/** What is offered for the word at the cursor. */
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Command, Option } from 'commander';
import { DEFAULT_MANIFEST } from '../app/find-manifests.ts';
import {
  environmentNames,
  knownAddresses,
  type NamingSource,
  NEW,
  variableNames,
} from '../app/known-names.ts';
import { packageFile } from '../app/package-info.ts';
import type { Runtime } from '../app/runtime.ts';
import { kindOf, storedAs } from '../model/kinds.ts';
import { nextPieces } from '../util/next-pieces.ts';
import { OPEN_POSTS } from './flags.ts';
import type { TypedCommand } from './typed-command.ts';

export interface Offers {
  /** The shell adds files itself: it knows `~` and how to quote. */
  readonly files: 'none' | 'any' | 'yaml' | 'folders';
  /** Whole words, and beginnings of words that end with `/`, `+` or `=`; each with what is known of it. */
  readonly words: ReadonlyMap<string, string>;
}

type Place = Pick<Runtime, 'disk' | 'env' | 'clock'>;

export async function offersFor(typed: TypedCommand, current: string, place: Place): Promise<Offers> {
  const { command, wanted } = typed;
  switch (wanted.type) {
    case 'command':
      return offer(visibleCommands(command), current);
    case 'flag':
      return offer(visibleFlags(command), current);
    case 'argument':
      return values(wanted.name, { typed, current, place });
    case 'value': {
      const { option, before } = wanted;
      const { files, words } = await ofOption(option, {
        typed,
        current: current.slice(before.length),
        place,
      });
      return { files, words: new Map([...words].map(([word, about]) => [before + word, about])) };
    }
    case 'nothing':
      return offer([], current);
  }
}

interface Asked {
  readonly typed: TypedCommand;
  readonly current: string;
  readonly place: Place;
}

async function ofOption(option: Option, asked: Asked): Promise<Offers> {
  const { current, place, typed } = asked;
  const source = sourceOf(typed, place);
  if (option.argChoices) return offer(plain(option.argChoices), current);
  switch (option.name()) {
    case 'env':
      return offer(plain(environmentNames(place, source)), current);
    case 'var':
      return offer(plain(variableNames(place, source).map((name) => `${name}=`)), current);
    case 'fail-on':
      return offer(plain(OPEN_POSTS), current);
    case 'profile':
      return { ...offer(plain(profileNames()), current), files: 'yaml' };
    default: {
      const [, name = ''] = /[<[](.*)[\]>]/.exec(option.flags) ?? [];
      return values(name, asked);
    }
  }
}

/** By the name of a value in the usage: `manifest-or-address`. */
async function values(name: string, { typed, current, place }: Asked): Promise<Offers> {
  const kinds = name.split('-or-');
  const takes = (...names: readonly string[]) => names.some((each) => kinds.includes(each));
  const files = takes('file') ? 'any' : takes('manifest') ? 'yaml' : takes('folder') ? 'folders' : 'none';
  const argument = typed.command.registeredArguments.find((each) => each.name() === name);
  if (argument?.argChoices) return offer(plain(argument.argChoices), current);
  if (!takes('address', 'glob')) return { files, words: new Map() };
  const isMeant = (argument && MEANT[typed.command.name()]) ?? (() => true);
  const known = await knownAddresses(
    place,
    sourceOf(typed, place),
    isMeant('', NEW) ? 'state and manifest' : 'state',
  );
  const meant = [...known].flatMap(([address, status]) => (isMeant(address, status) ? address : []));
  const pieces = nextPieces(meant, current);
  return { files, words: new Map(pieces.map((piece) => [piece, known.get(piece) ?? ''])) };
}

/** What the arguments of a command can mean, where that is not every address. */
const MEANT: Readonly<Record<string, (address: string, status: string) => boolean>> = {
  resolve: (_, status) => status !== 'done' && status !== NEW,
  approve: isFinishedPost,
  reject: isFinishedPost,
  show: isInState,
  rm: isInState,
  accept: isInState,
};

function isFinishedPost(address: string, status: string): boolean {
  return storedAs(address) === 'take' && status === 'done';
}

function isInState(_: string, status: string): boolean {
  return status !== NEW;
}

/** The campaign that the words before the cursor name. */
function sourceOf({ args, values: given }: TypedCommand, { disk, env }: Place): NamingSource {
  const named = args.find((arg) => kindOf(arg) === undefined) ?? DEFAULT_MANIFEST;
  const file = named.replace(/^~(?=\/)/, env['HOME'] ?? '~');
  return {
    file: disk.stat(file).type === 'folder' ? join(file, DEFAULT_MANIFEST) : file,
    environment: given.get('env')?.at(-1),
    state: given.get('state')?.at(-1),
  };
}

function visibleCommands(command: Command): [string, string][] {
  const help = command.createHelp();
  return help.visibleCommands(command).map((each) => [each.name(), each.description()]);
}

function visibleFlags(command: Command): [string, string][] {
  const help = command.createHelp();
  return help.visibleOptions(command).flatMap(({ long, short, description }) => {
    const flag = long ?? short;
    return flag === undefined ? [] : [[flag, description]];
  });
}

function profileNames(): string[] {
  const files = readdirSync(packageFile('profiles')).filter((file) => file.endsWith('.yaml'));
  return files.map((file) => basename(file, '.yaml')).sort();
}

function plain(words: readonly string[]): [string, string][] {
  return words.map((word) => [word, '']);
}

function offer(words: readonly (readonly [string, string])[], current: string): Offers {
  return { files: 'none', words: new Map(words.filter(([word]) => word.startsWith(current))) };
}
