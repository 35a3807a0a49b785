import type { Address } from '../model/address.ts';
import { kindOf } from '../model/kinds.ts';
import type { Reason } from '../model/plan.ts';
import type { PlanEntry } from './plan-entries.ts';

/** Why the entries of a group are in the plan; what several of them share, and no more. */
export type GroupCause =
  | { readonly type: 'upstream'; readonly addresses: ReadonlySet<Address>; readonly fields: string }
  | { readonly type: 'field'; readonly field: string; readonly reason?: Reason }
  | { readonly type: 'text'; readonly text: string; readonly address?: Address | undefined };

/** The causes that a plan shows below an entry. */
export function toldReasons(reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(({ summary, field }) => field !== undefined || summary !== 'new');
}

/** How many lines they take. */
export function reasonLineCount(reasons: readonly Reason[]): number {
  return reasons.reduce((lines, { because = [] }) => lines + 1 + reasonLineCount(because), 0);
}

/** The same for entries with the same causes, values included. */
export function causeKey({ sign, reasons, noted, why = '' }: PlanEntry): string {
  const cause = noted?.problem ?? noted?.evidence;
  const told = sign === 'resume' ? [] : toldReasons(reasons);
  const parts = told.map(({ summary, field, from, to, source, address, because }) =>
    because ? [address, because] : [summary, field, from, to, source],
  );
  return JSON.stringify([why, cause?.summary, cause?.detail, parts]);
}

/** The same for entries with causes of one kind: another product changed in the same fields, another note. */
export function causeShape(entry: PlanEntry): string {
  const cause = entry.noted?.problem ?? entry.noted?.evidence;
  const shapes = causesOf(entry, 'shape').map((each) => {
    if (each.type === 'upstream') return [kindsOf(each.addresses), each.fields];
    return each.type === 'field' ? each.field : each.text;
  });
  return JSON.stringify([entry.why, cause?.summary, shapes]);
}

/** `values`: with the old and the new value, for entries that all have the same. */
export function causesOf({ sign, reasons }: PlanEntry, detail: 'values' | 'shape'): GroupCause[] {
  if (sign === 'resume') return [];
  return toldReasons(reasons).map((reason): GroupCause => {
    const { because, address, field, summary } = reason;
    if (because && address !== undefined) {
      const fields = [...new Set(because.map((leaf) => leaf.field ?? leaf.summary))].join(', ');
      return { type: 'upstream', addresses: new Set([address]), fields };
    }
    if (field !== undefined) return { type: 'field', field, ...(detail === 'values' && { reason }) };
    return { type: 'text', text: detail === 'values' ? summary : shapeOf(summary, address), address };
  });
}

/** What several causes have in common: `rejected` of all notes, `waits for products` of all products. */
function shapeOf(summary: string, address: Address | undefined): string {
  if (address !== undefined && summary.includes(address))
    return `${summary.slice(0, summary.indexOf(address))}${kindOf(address) ?? 'node'}s`;
  return summary.replace(/(?::|\s\d).*$/su, '');
}

export function kindsOf(addresses: ReadonlySet<Address>): string {
  return [...new Set([...addresses].map((address) => kindOf(address) ?? 'node'))].join(', ');
}

/** The causes of groups whose entries have causes of the same shape: what differs is left out. */
export function joinCauses(all: readonly (readonly GroupCause[])[]): GroupCause[] {
  const [first = []] = all;
  return first.map((cause, index): GroupCause => {
    const others = all.flatMap((causes) => causes[index] ?? []);
    if (cause.type === 'upstream') {
      const named = others.flatMap((each) => (each.type === 'upstream' ? [...each.addresses] : []));
      return { ...cause, addresses: new Set(named) };
    }
    if (cause.type === 'field') return { type: 'field', field: cause.field };
    return others.every((each) => each.type === 'text' && each.text === cause.text)
      ? cause
      : { type: 'text', text: shapeOf(cause.text, cause.address) };
  });
}
