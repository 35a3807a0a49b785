import type { Address } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';

/** What decides an unknown create, in a form that can be pasted; `target` names the campaign on the command line, where it has to be named. */
export function decideCommand(address: Address, target: string): string {
  return `\`${commandText('resolve', target, address)}\` asks, or takes --id UUID, --not-created or --skip`;
}
