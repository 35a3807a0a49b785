/**
 * What a command may spend. The manifests of one command that use one account (base URL and key) add up: each limit
 * holds for the sum of what all of them have spent.
 */
import type { Manifest } from '../manifest/manifest.ts';
import { type Limit, monthOf, NOTHING_SPENT, requestCost, type Spent, sum } from '../model/budget.ts';
import { EXIT } from '../model/exit.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { shownFile, STDIN } from '../model/manifest-file.ts';
import type { RunState } from '../model/run-state.ts';
import { type Spending, spendingOf, spentSince } from '../log/spending.ts';
import type { Purse } from '../plan/plan-cost.ts';
import type { SharedBudget } from '../store/shared-run.ts';
import { err, ok, type Result } from '../util/result.ts';
import { findApiKey } from './api-key.ts';
import type { Campaign } from './campaign.ts';
import { type Fellow, type Met, readFellow } from './fellows.ts';
import { readState } from './read-state.ts';
import { identityOf } from './state-place.ts';
import type { Runtime } from './runtime.ts';

/** A purse, and the spending that it was made from. */
export interface Wallet extends Purse {
  /** Of all manifests. */
  readonly spending: Spending;
  /** What each of the others has spent. */
  readonly near: readonly Pick<Fellow, 'lineage' | 'spending'>[];
  /** Why nothing may be spent now: another run may be spending the same. */
  readonly busy: Refusal | undefined;
}

type Known = Pick<Manifest, 'file' | 'name' | 'environment' | 'budget'>;

export type Accounts = ReturnType<typeof createAccounts>;

/** How a manifest of the command is read, as in its own turn. */
type Read = (file: string) => Promise<Result<Campaign, Refusal>>;

/** `files`: all manifests of the command. Where one of them may have a budget, all are read once something may be spent. */
export function createAccounts(
  runtime: Pick<Runtime, 'env' | 'clock' | 'disk' | 'emit'>,
  files: readonly string[],
  read: Read,
) {
  const isAlone = files.length < 2;
  let known: Map<string, Met> | undefined;
  /** What counts for a manifest whose turn is over, whatever its log says. */
  const told = new Map<string, Partial<Spending>>();

  async function meetAll(): Promise<Map<string, Met>> {
    const met = new Map<string, Met>();
    if (isAlone || !files.some((file) => mayHaveBudget(runtime, file))) return met;
    for (const file of files) {
      const campaign = file === STDIN ? undefined : await read(file);
      if (campaign?.ok && (await readState(campaign.value)).ok) {
        const { manifest, store, target } = campaign.value;
        const account = await accountOf(runtime, manifest.environment);
        met.set(file, { account, file: manifest.file, budget: manifest.budget, place: { store, target } });
      } else {
        const summary = `What ${shownFile(file)} has spent is not counted, because it or its state cannot be read`;
        runtime.emit({ type: 'warning', summary });
      }
    }
    return met;
  }

  async function fellowsOf({ file, environment }: Known, by: Left['by'] = 'this command'): Promise<Fellow[]> {
    known ??= await meetAll();
    if (!known.size) return [];
    const account = await accountOf(runtime, environment);
    const near = [...known].filter(([other, met]) => other !== file && met.account === account);
    return Promise.all(
      near.map(([other, met]) => readFellow(runtime, met, by === 'this command' ? told.get(other) : {})),
    );
  }

  return {
    /** Whether nothing but the own state decides what is left. */
    isAlone,
    /** Undefined where nothing limits or prices this manifest. */
    async walletOf(
      campaign: Planned,
      state: RunState,
      left: Left,
    ): Promise<Result<Wallet | undefined, Refusal>> {
      return walletFor(campaign, await fellowsOf(campaign.manifest, left.by), { ...left, state });
    },
    /** After its turn: of a run, what it has spent; of a plan, what would be spent. It counts for those that follow. */
    spentBy({ manifest }: { readonly manifest: Known }, spent: Partial<Spending>): void {
      told.set(manifest.file, spent);
    },
  };
}

type Planned = { readonly manifest: Known } & Pick<Campaign, 'graph'>;
type Left = Pick<Purse, 'excess'> & {
  readonly month: string;
  /** Who spends it: for the next command, what this one has spent counts for the month only. */
  readonly by?: 'this command' | 'the next command';
};

function walletFor(
  { manifest, graph }: Planned,
  near: readonly Fellow[],
  { state, excess, month }: Left & { readonly state: RunState },
): Result<Wallet | undefined, Refusal> {
  const { budget } = manifest;
  if (!budget && !near.some((fellow) => fellow.budget)) return ok(undefined);
  const limits = limitsOf(manifest, near);
  const wrong = mixedCurrencies(manifest, near) ?? withoutPrice(manifest, graph, limits);
  if (wrong) return err(wrong);
  const { prices = {}, currency } = budget ?? {};
  const spending = together([spendingOf(state, prices), ...near.map((fellow) => fellow.spending)]);
  const spent = { run: spending.run, month: spentSince(spending, month) };
  const busy = near.flatMap(({ file, holder }) => (holder === undefined ? [] : [inUse(file, holder)]))[0];
  return ok({ currency, prices, limits, spent, spending, near, excess, busy });
}

/** For a command with one manifest. */
export function aloneIn(runtime: Parameters<typeof createAccounts>[0]): Accounts {
  return createAccounts(runtime, [], () => Promise.reject(new Error('there is no other manifest')));
}

const LARGEST_MANIFEST = 64 * 1024 ** 2;

/** A text without the word has none; so manifests without budgets are read once only. */
function mayHaveBudget({ disk }: Pick<Runtime, 'disk'>, file: string): boolean {
  const bytes = disk.read(file, LARGEST_MANIFEST);
  return !Buffer.isBuffer(bytes) || bytes.includes('budget');
}

function inUse(file: string, holder: string): Refusal {
  const detail =
    `The state of ${file}, which shares the budget, is in use by ${holder}, which may be spending as well. ` +
    'Nothing was requested. Run this again once it has ended.';
  return refusal(EXIT.locked, {
    code: 'locked',
    summary: 'Another run may be spending the same budget',
    detail,
  });
}

/** Without a key, as for a plan, the name of its variable stands for it. */
async function accountOf(
  runtime: Pick<Runtime, 'env' | 'clock'>,
  environment: Manifest['environment'],
): Promise<string> {
  const key = await findApiKey(runtime, environment);
  const { baseUrl } = identityOf({ name: '', environment });
  return JSON.stringify([baseUrl, key.ok ? key.value.value : (environment.apiKeyEnv ?? '')]);
}

function together(all: readonly Spending[]): Spending {
  const months = new Map<string, Spent>();
  for (const { months: each } of all)
    for (const [month, spent] of each) months.set(month, sum([months.get(month) ?? NOTHING_SPENT, spent]));
  return { months, run: sum(all.map(({ run }) => run)) };
}

/** Of each kind the one that allows least. One of another manifest names that, as its place is there. */
function limitsOf({ budget }: Known, near: readonly Fellow[]): Limit[] {
  const elsewhere = near.flatMap((fellow) =>
    (fellow.budget?.limits ?? []).map(
      ({ per, of, most }): Limit => ({ per, of, most, manifest: fellow.file }),
    ),
  );
  const strictest = new Map<string, Limit>();
  for (const limit of [...(budget?.limits ?? []), ...elsewhere]) {
    const key = `${limit.per} ${limit.of}`;
    const found = strictest.get(key);
    if (!found || limit.most < found.most) strictest.set(key, limit);
  }
  return [...strictest.values()];
}

/** For a limit of another manifest; the prices for its own limits were checked with the manifest. */
function withoutPrice(
  { file, budget }: Known,
  { posts }: Campaign['graph'],
  limits: readonly Limit[],
): Refusal | undefined {
  const limit = limits.find(({ of, manifest }) => of === 'cost' && manifest !== undefined);
  if (!limit) return undefined;
  const types = new Set(posts.flatMap(({ items }) => items.map(({ payload }) => payload.post_type)));
  const type = [...types].find((each) => budget?.prices[each] === undefined);
  if (type === undefined) return undefined;
  const detail =
    `${limit.manifest} limits the cost of all manifests of this command that use its account (base URL and key), and ${file} has ` +
    `no price for a post of the type ${type}. Write it under \`prices:\` of a \`budget:\` there, or apply the manifests one by one.`;
  return refusal(EXIT.invalidManifest, { code: 'missing-price', summary: 'Price is missing', detail });
}

function mixedCurrencies({ file, budget }: Known, near: readonly Fellow[]): Refusal | undefined {
  if (!budget) return undefined;
  const other = near.find((fellow) => fellow.budget && fellow.budget.currency !== budget.currency);
  if (!other) return undefined;
  const named = (currency: string | undefined) => currency ?? 'no currency';
  const detail =
    `${file} counts in ${named(budget.currency)}, and ${other.file} in ${named(other.budget?.currency)}. Both use one account ` +
    '(base URL and key), so their costs are added up: write the same currency in both, or apply them one by one.';
  const summary = 'Two currencies in one account';
  return refusal(EXIT.invalidManifest, { code: 'mixed-currencies', summary, detail });
}

/** What a plan will have spent once it is carried out. */
export function spendingAfter(
  state: RunState,
  { prices }: Pick<Purse, 'prices'>,
  { plan, now }: { readonly plan: Plan; readonly now: number },
): Spending {
  const before = spendingOf(state, prices);
  const requests = plan.nodes.listed.flatMap((node) =>
    kindHas(node, 'stored', 'request') && node.action !== 'blocked' ? [node.payload] : [],
  );
  const planned = sum(
    requests.map((payload) => ({ posts: payload.numberOfPosts, cost: requestCost(payload, prices) ?? 0n })),
  );
  const month = monthOf(now);
  const months = new Map(before.months);
  months.set(month, sum([months.get(month) ?? NOTHING_SPENT, planned]));
  return { months, run: sum([before.run, planned]) };
}

/** For a run that several processes carry out: its database counts what all states have spent that use the account. */
export function sharedBudget(
  { lineage, state }: { readonly lineage: string; readonly state: RunState },
  wallet: Wallet | undefined,
): SharedBudget {
  const { limits = [], prices = {}, near = [], spending } = wallet ?? {};
  const others = near.flatMap(({ lineage: other, spending: { months } }) =>
    other === undefined ? [] : [{ lineage: other, months }],
  );
  const own = { lineage, months: spendingOf(state, prices).months };
  return { limits, run: spending?.run ?? NOTHING_SPENT, states: [own, ...others] };
}
