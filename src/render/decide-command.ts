import type { Address } from '../model/address.ts';

/** What decides an unknown create, in a form that can be pasted; `target` names the campaign on the command line, where it has to be named. */
export function decideCommand(address: Address, target: string): string {
  const command = ['campaign resolve', target, address].filter(Boolean).join(' ');
  return `\`${command}\` asks, or takes --id UUID, --not-created or --skip`;
}
