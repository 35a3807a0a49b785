import { EMPTY, type ItemFacts } from './item-facts.ts';

/**
 * Which created item is which sent one: for each sent item the index of its created one, or undefined where there is none.
 *
 * 1. A value that nobody sent was changed by the service, and says nothing. By what is left, a created item agrees with
 *    a sent one in some fields, and contradicts it or does not.
 * 2. Pairs without a contradiction are made, those that agree in most fields first, and by order among equal ones.
 * 3. Where a sent item is left over though it would fit, others give way as far as they fit elsewhere.
 * 4. What fits nowhere is paired in the same way, if as many came back as were sent: then each was made for one of ours.
 *    Else it stays alone: a picture of the cat is not taken for the dog because the dog is missing.
 *
 * With `left`, for a request that somebody else made, what fits nowhere stays alone in any case.
 *
 * Where an answer repeats the same fields of every item, only equal items agree in all of them, and there are as many of
 * each on both sides: step 2 alone gives every item its own.
 */
export function assignItems(
  sent: readonly ItemFacts[],
  created: readonly ItemFacts[],
  rest: 'paired' | 'left' = 'paired',
): readonly (number | undefined)[] {
  const pairs: Pairs = {
    table: compareAll(sent, created),
    given: sent.map(() => undefined),
    owners: created.map(() => undefined),
  };
  pairBest(pairs, ({ fits }) => fits);
  for (const one of sent.keys()) {
    if (pairs.given[one] === undefined && pairs.owners.includes(undefined)) makeRoom(one, pairs);
  }
  if (sent.length === created.length && rest === 'paired') pairBest(pairs, () => true);
  return pairs.given;
}

interface Pairs {
  /** A row for each sent item, a column for each created one. */
  readonly table: readonly (readonly Comparison[])[];
  /** The created item of each sent one, and the sent item of each created one. */
  readonly given: (number | undefined)[];
  readonly owners: (number | undefined)[];
}

type Comparison = ReturnType<typeof compare>;

function compareAll(sent: readonly ItemFacts[], created: readonly ItemFacts[]): Comparison[][] {
  const known = new Set(sent.flatMap(({ told }) => [...told].map(nameOf)));
  const telling = created.map(({ told, exact }) => ({
    told: [...told].filter((fact) => known.has(nameOf(fact))),
    exact: [...exact],
  }));
  return sent.map((facts) => telling.map((others) => compare(facts, others)));
}

type Fact = readonly [field: string, text: string];

function nameOf([field, text]: Fact): string {
  return `${field}\n${text}`;
}

function compare(
  facts: ItemFacts,
  others: { readonly told: readonly Fact[]; readonly exact: readonly Fact[] },
) {
  let fits = true;
  let agreeing = 0;
  for (const [field, text] of others.told) {
    const own = facts.told.get(field);
    if (own === text) agreeing += 1;
    // An empty list may also stand for a field that the answer does not repeat.
    else if (own !== undefined && text !== EMPTY) fits = false;
  }
  for (const [field, text] of others.exact) if (facts.exact.get(field) === text) agreeing += 1;
  return { agreeing, fits };
}

function pairBest({ table, given, owners }: Pairs, may: (comparison: Comparison) => boolean): void {
  const most = table.flat().reduce((high, { agreeing }) => Math.max(high, agreeing), 0);
  for (let agreeing = most; agreeing >= 0; agreeing--) {
    for (const [one, row] of table.entries()) {
      if (given[one] !== undefined) continue;
      const made = row.findIndex(
        (pair, index) => owners[index] === undefined && pair.agreeing === agreeing && may(pair),
      );
      if (made < 0) continue;
      given[one] = made;
      owners[made] = one;
    }
  }
}

/** Looks for the shortest chain of items that each give way to the one before, and that ends at a free created item. */
function makeRoom(start: number, { table, given, owners }: Pairs): void {
  const wantedBy = new Map<number, number>();
  const queue = [start];
  for (const one of queue) {
    for (const [made, { fits }] of table[one]?.entries() ?? []) {
      if (!fits || wantedBy.has(made)) continue;
      wantedBy.set(made, one);
      const owner = owners[made];
      if (owner !== undefined) queue.push(owner);
      else return passOn(made, wantedBy, { given, owners });
    }
  }
}

/** Everybody along the chain takes what it wanted, and leaves what it had to the one before. */
function passOn(
  free: number,
  wantedBy: ReadonlyMap<number, number>,
  { given, owners }: Pick<Pairs, 'given' | 'owners'>,
): void {
  for (let made: number | undefined = free; made !== undefined; ) {
    const one = wantedBy.get(made) as number;
    const before: number | undefined = given[one];
    given[one] = made;
    owners[made] = one;
    made = before;
  }
}
