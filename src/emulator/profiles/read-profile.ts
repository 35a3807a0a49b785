import { err, ok, type Result } from '../../util/result.ts';
import type { Behaviour } from '../behaviour.ts';
import type { ProfileDocument } from '../generated/profile-document.js';
import type { Validate } from '../../util/json-schema.ts';
import { validateOrders, validateSwitches } from '../generated/validate.js';
import { ruleMistake } from '../fault-rules/check-rule.ts';
import type { FaultRule } from '../fault-rules/fault-rule.ts';
import { toBehaviour } from './to-behaviour.ts';
import { toRule } from './to-rule.ts';

/** How an emulator behaves, ready for `startEmulator`. */
export interface Profile {
  readonly description: string;
  readonly seed?: string;
  readonly behaviour: Partial<Behaviour>;
  readonly orders: readonly FaultRule[];
}

/** `document` has to fit the schema. */
export function toProfile({ description, seed, switches = {}, orders = [] }: ProfileDocument): Profile {
  return {
    description,
    ...(seed !== undefined && { seed: String(seed) }),
    behaviour: toBehaviour(switches),
    orders: orders.map(toRule),
  };
}

/** Fault rules as a profile writes them, or everything that is wrong with them. */
export function readRules(value: unknown): Result<readonly FaultRule[], string[]> {
  if (!validateOrders(value)) return err(messagesOf(validateOrders));
  const orders = value.map(toRule);
  const mistakes = orders.flatMap((order, index) => {
    const mistake = ruleMistake(order);
    return mistake === undefined ? [] : [`/${index}: ${mistake}`];
  });
  return mistakes.length === 0 ? ok(orders) : err(mistakes);
}

/** Switches as a profile writes them, or everything that is wrong with them. */
export function readSwitches(value: unknown): Result<Partial<Behaviour>, string[]> {
  return validateSwitches(value) ? ok(toBehaviour(value)) : err(messagesOf(validateSwitches));
}

/** One line for each error: the JSON Pointer of the place, and what is wrong there. */
function messagesOf({ errors }: Validate<unknown>): string[] {
  return (errors ?? [])
    .filter(({ keyword }) => keyword !== 'if')
    .map(({ instancePath, message, params }) => {
      const allowed = [params['allowedValues'] ?? params['additionalProperty'] ?? []].flat();
      const hint = allowed.length === 0 ? '' : ` (${allowed.map(String).join(', ')})`;
      return `${instancePath || '/'}: ${message}${hint}`;
    });
}
