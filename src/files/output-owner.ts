/**
 * Whose results an output folder has: the campaign, environment and state that its `index.json` names. It stands there from
 * before the first download on, so that nobody else puts files there.
 */
import path from 'node:path';
import { attempt } from '../util/attempt.ts';
import { parseJson } from '../util/json.ts';
import { isThereNow } from '../util/new-file.ts';
import { headOf } from '../util/own-file.ts';

export interface OutputOwner {
  readonly campaign: string;
  readonly environment: string;
  /** Of the state; absent where there is none yet, and in an index that another program has written. */
  readonly lineage: string | undefined;
}

const TEXT = '("(?:[^"\\\\]|\\\\.)*")';
const HEAD = new RegExp(
  `^\\{\\s*"format_version":\\s*"[\\d.]+",\\s*"campaign":\\s*${TEXT},\\s*"environment":\\s*${TEXT}(?:,\\s*"lineage":\\s*${TEXT})?`,
);

/** By the beginning of its text. */
export function ownerIn(head: string): OutputOwner | undefined {
  const [, campaign, environment, lineage] = HEAD.exec(head) ?? [];
  const read = parseJson(`[${campaign},${environment},${lineage ?? null}]`);
  if (!read.ok || !Array.isArray(read.value)) return undefined;
  const [name, where, log] = read.value;
  if (typeof name !== 'string' || typeof where !== 'string') return undefined;
  return { campaign: name, environment: where, lineage: typeof log === 'string' ? log : undefined };
}

/** With another name, it is the same owner as long as its state is. */
export function isOther(owner: OutputOwner, own: OutputOwner): boolean {
  if (owner.lineage !== undefined && owner.lineage === own.lineage) return false;
  return owner.campaign !== own.campaign || owner.environment !== own.environment;
}

/** Whether a file lies in the output folder of somebody else: the nearest index above it counts. */
export function isInOther(file: string, own: OutputOwner): boolean {
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    const owner = ownerOf(at);
    if (owner) return isOther(owner, own);
    if (at === path.dirname(at)) return false;
  }
}

/** The owner of a folder, if it is another one. */
export function otherOwnerOf(folder: string, own: OutputOwner): OutputOwner | undefined {
  const owner = ownerOf(folder);
  return owner && isOther(owner, own) ? owner : undefined;
}

function ownerOf(folder: string): OutputOwner | undefined {
  const file = path.join(folder, 'index.json');
  // Most folders have none, and an exception for each would cost more than this look.
  if (!isThereNow(file)) return undefined;
  return ownerIn(attempt(() => headOf(file)) ?? '');
}
