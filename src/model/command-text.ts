/** The words that name a campaign, without its storage: for a command that has another `--files`. */
export function withoutStorage(target: string): string {
  return target.replace(/(?:^| )--files (?:'(?:[^']|'\\'')*'|\S+)/, '').trim();
}

/** A command to type, for advice. Empty words are left out: the target is empty where it is the default. */
export function commandText(verb: string, ...words: readonly string[]): string {
  return ['campaign', verb, ...words].filter(Boolean).join(' ');
}
