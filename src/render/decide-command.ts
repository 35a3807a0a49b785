import type { Address } from '../model/address.ts';

/** What decides an unknown create; `target` names the campaign on the command line, where it has to be named. */
export function decideCommand(address: Address, target: string): string {
  const command = ['campaign resolve', target, address].filter(Boolean).join(' ');
  return `${command} --id UUID | --not-created | --skip`;
}
