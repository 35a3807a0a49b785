import type { Address } from '../model/address.ts';
import { commandText } from '../model/command-text.ts';

/**
 * The command that decides an unknown create, ready to be pasted; `target` names the campaign on the command line,
 * where that is needed.
 */
export function decideCommand(address: Address, target: string): string {
  return `\`${commandText('resolve', target, address)}\` asks, or takes --id UUID, --not-created or --skip`;
}
