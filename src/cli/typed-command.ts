import type { Command, Option } from 'commander';

/** What the words before the cursor are, and what the word at the cursor is to become. */
export interface TypedCommand {
  readonly command: Command;
  /** The arguments before the cursor, without flags. */
  readonly args: readonly string[];
  /** The values of the flags before the cursor, by long name without dashes. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly wanted: Wanted;
}

export type Wanted =
  | { readonly type: 'command' }
  | { readonly type: 'flag' }
  /** `before` stands in front of the value in the same word: `--env=`. */
  | { readonly type: 'value'; readonly option: Option; readonly before: string }
  /** The name of the argument in the usage: `manifest-or-address`. */
  | { readonly type: 'argument'; readonly name: string }
  | { readonly type: 'nothing' };

/** Follows words through the commands of a program, as commander would read them. `current` is at the cursor. */
export function followWords(program: Command, words: readonly string[], current: string): TypedCommand {
  let command = program;
  const args: string[] = [];
  const values = new Map<string, string[]>();
  let open: Option | undefined;
  let areFlagsOver = false;
  for (const word of words) {
    if (open) {
      const name = open.name();
      values.set(name, [...(values.get(name) ?? []), word]);
      open = undefined;
    } else if (word === '--' && !areFlagsOver) areFlagsOver = true;
    else if (!areFlagsOver && word.startsWith('-')) {
      const { option, value } = flagOf(command, word);
      if (!option) continue;
      if (value === undefined) open = option.required ? option : undefined;
      else values.set(option.name(), [...(values.get(option.name()) ?? []), value]);
    } else {
      const below = args.length ? undefined : command.commands.find((each) => each.name() === word);
      if (below) command = below;
      else args.push(word);
    }
  }
  const wanted: Wanted = open
    ? { type: 'value', option: open, before: '' }
    : wantedOf(command, { args, current, areFlagsOver });
  return { command, args, values, wanted };
}

function wantedOf(
  command: Command,
  typed: { readonly args: readonly string[]; readonly current: string; readonly areFlagsOver: boolean },
): Wanted {
  const { args, current, areFlagsOver } = typed;
  if (current.startsWith('-') && !areFlagsOver) {
    const { option, value } = flagOf(command, current);
    if (value === undefined) return { type: 'flag' };
    return option?.required || option?.optional
      ? { type: 'value', option, before: current.slice(0, current.length - value.length) }
      : { type: 'nothing' };
  }
  if (command.commands.length) return args.length ? { type: 'nothing' } : { type: 'command' };
  const { registeredArguments: known } = command;
  const last = known.at(-1);
  const argument = known[args.length] ?? (last?.variadic ? last : undefined);
  return argument ? { type: 'argument', name: argument.name() } : { type: 'nothing' };
}

/** `value` is what follows `=`. */
function flagOf(command: Command, word: string): { option: Option | undefined; value: string | undefined } {
  const [, flag = word, value] = /^(--[^=]*)=(.*)$/s.exec(word) ?? [];
  return { option: command.options.find((option) => option.long === flag || option.short === flag), value };
}
