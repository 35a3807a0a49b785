/** A campaign over some nights, told in literals: what each plan says, and what an apply leaves behind. */
import { type Address, splitTake } from '../../../src/model/address.ts';
import type { StateEvent } from '../../../src/model/state-event.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import type { CampaignWords } from '../../support/campaign.ts';
import type { Ends } from '../../support/play-plan.ts';
import { folded, isLetGo, look, played, verdictsOf } from './adapter.ts';

export interface Telling {
  readonly ends?: Ends;
  /** The day of the run; by default one in week 47. */
  readonly day?: string;
  readonly only?: readonly string[];
  readonly verdicts?: Readonly<Record<string, Verdict['verdict']>>;
}

/** Everything that was written so far. */
export type Log = readonly StateEvent[];

function seenBy(words: CampaignWords, log: Log, { day = '2026-11-16', only, verdicts = {} }: Telling) {
  const now = Date.parse(day);
  return look({ words, state: folded(log), now, verdicts: verdictsOf(verdicts), ...(only && { only }) });
}

/**
 * What a plan does without consent, a line each: what moves (`>`), what is bought (`+`), and what is asked about (`?`), an edit
 * or a post that others hold up.
 */
export function told(words: CampaignWords, log: Log, telling: Telling = {}): string[] {
  const { held, bought, asked } = seenBy(words, log, telling);
  const short = (address: Address) => address.replace(/^media\//, '');
  return [
    ...held.moves.map(({ from, to }) => `> ${short(from)} → ${short(splitTake(to).address)}`).sort(),
    ...[...bought.held].map((address) => `+ ${short(address)}`).sort(),
    ...Array.from(asked, ([address, by = ['edit']]) => `? ${short(address)}: ${by.map(short).join()}`).sort(),
  ];
}

/** What an apply with consent writes. */
export function agreed(words: CampaignWords, log: Log = [], telling: Telling = {}): Log {
  const seen = seenBy(words, log, telling);
  return [...log, ...played(seen, seen.made, telling.ends)];
}

/** What an apply writes that nobody was asked about. */
export function unasked(words: CampaignWords, log: Log, telling: Telling = {}): Log {
  const seen = seenBy(words, log, telling);
  return [...log, ...played(seen, seen.held, telling.ends)];
}

/** Posts that were let go. */
export function letGoIn(log: Log): Address[] {
  return [...folded(log).media.values()].flatMap((medium) => (isLetGo(medium) ? [medium.address] : []));
}

/** Posts of one product each: `grid/<key>`. */
export function gridOf(
  products: NonNullable<CampaignWords['products']>,
  ...items: readonly {
    readonly key?: string;
    readonly ratio?: string;
    readonly descriptions?: readonly string[];
  }[]
): CampaignWords {
  return {
    products,
    concepts: { morning: { description: 'Soft light' } },
    posts: Object.fromEntries(
      Object.keys(products).map((key) => [
        `grid/${key}`,
        { items: (items.length ? items : [{}]).map((item) => ({ ...item, products: [key] })) },
      ]),
    ),
  };
}
