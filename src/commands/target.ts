import { kindOf } from '../model/address.ts';

/** The manifest where none is named. */
export const DEFAULT = 'campaign.yaml';

/** The manifest comes first and may be left out: what begins like an address is none. */
export function targetOf(args: readonly (string | undefined)[]): { file: string; rest: readonly string[] } {
  const [first, ...others] = args.filter((arg) => arg !== undefined);
  if (first === undefined) return { file: DEFAULT, rest: [] };
  return kindOf(first) === undefined
    ? { file: first, rest: others }
    : { file: DEFAULT, rest: [first, ...others] };
}
