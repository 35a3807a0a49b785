/** What a run that one process carries out has spent, counted with what the shared runs of its account spend. */
import { randomUUID } from 'node:crypto';
import { type Limit, overBudget } from '../../model/budget.ts';
import { moneyOf } from '../../model/money.ts';
import { NotBegun } from '../../model/not-begun.ts';
import type { StateEvent } from '../../model/state-event.ts';
import type { Ledger } from '../store.ts';
import type { SharedBudget } from '../shared-run.ts';
import { StateWriteError } from '../write-error.ts';
import { countIn } from './begin-shared.ts';
import type { Intent } from './begin-creates.ts';
import type { Connection } from './connection.ts';
import { asWriteError, LostRun } from './database-error.ts';
import type { Patiently } from './patience.ts';

interface Spending {
  readonly run: number;
  readonly patiently: Patiently;
  readonly account: string;
  readonly budget: SharedBudget;
}

interface Counted {
  readonly month: string;
  readonly posts: number;
  readonly cost: bigint;
}

/** After these a create was not made, and another attempt may begin. */
const GIVES_BACK: ReadonlySet<StateEvent['type']> = new Set(['rejected', 'not-sent', 'throttled']);

export async function openLedger(
  connection: Connection,
  { run, patiently, account, budget }: Spending,
): Promise<Ledger> {
  const counted = new Map<string, Counted>();
  const asking = <T>(work: () => Promise<T>) => patiently(work).catch(asWriteError);

  /** One after the other: only what was counted last is known again, if its answer is lost. */
  let last: Promise<unknown> = Promise.resolve();

  async function ask(posts: number, cost: bigint, month?: string) {
    const values = [run, randomUUID(), posts, String(cost), month ?? null];
    const asked = last.then(() =>
      asking(() => connection.query('select * from campaign.spend_alone($1, $2, $3, $4, $5)', values)),
    );
    last = asked.catch(() => undefined);
    const [row] = await asked;
    return { month: String(row?.['month']), over: row?.['over'] as Limit | null };
  }

  async function begin({ address, request }: Intent): Promise<void> {
    if (!request) return;
    const { numberOfPosts: posts, cost: price = 0 } = request;
    const cost = moneyOf(price);
    const { month, over } = await ask(posts, cost);
    if (over) throw new NotBegun({ type: 'withheld', problem: overBudget(over) });
    counted.set(address, { month, posts, cost });
  }

  await asking(() =>
    connection.transaction(async (query) => {
      if (!(await countIn(query, { run, account }, budget))) throw new LostRun();
    }),
  );
  return {
    async before(events) {
      for (const event of events) if (event.type === 'intent') await begin(event);
    },
    async after(events) {
      for (const event of events) {
        if (!GIVES_BACK.has(event.type) || !('address' in event)) continue;
        const found = counted.get(event.address);
        if (!found || !counted.delete(event.address)) continue;
        // Else it counts until the next run of this state reads its log.
        await ask(-found.posts, -found.cost, found.month).catch(unlessUnwritable);
      }
    },
  };
}

function unlessUnwritable(error: unknown): void {
  if (!(error instanceof StateWriteError)) throw error;
}
