import { spendingOf } from '../log/spending.ts';
import { monthOf, NOTHING_SPENT, type Spent } from '../model/budget.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { amountOf } from '../model/money.ts';
import type { StateEvent } from '../model/state-event.ts';
import { stateInFile } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Consenting, changeOpened, changeState } from './change-state.ts';
import { emulatorDataGone } from './emulator-data.ts';
import type { Campaign } from './campaign.ts';
import { notedSpent } from './spent-note.ts';
import { writingOf } from './open-for-run.ts';
import { readState, stateRefusal } from './read-state.ts';
import { type Runtime, timestamp } from './runtime.ts';

const command = 'state new';

/** What is at the path of a state, by why it cannot be opened. */
const ANEW: Readonly<Partial<Record<string, (file: string) => string>>> = {
  'state-vanished': (file) => `The state ${file} is gone.`,
  'state-elsewhere': (file) => `There is no ${file}, but a state that was left behind.`,
  'state-unseen': (file) =>
    `There is no ${file}, and git cannot be asked whether one is committed. What it had spent would not count.`,
};

/**
 * Starts a new state where the old one was removed; gives the lineage, or nothing where there never was one. The state
 * of a rehearsal without the emulator's data is as good as removed: both are renamed.
 */
export async function newState(
  runtime: Runtime,
  campaign: Campaign,
  options: Consenting,
): Promise<Result<string | undefined, Refusal>> {
  const { consent } = options;
  const { name } = campaign.store;
  const opened = await readState(campaign);
  if (opened.ok && (await emulatorDataGone(campaign, opened.value.state))) {
    const aside = await putRehearsalAside(runtime, campaign, options);
    return aside ? err(aside) : begin(runtime, campaign, options);
  }
  if (opened.ok && opened.value.header) return err(exists(name, opened.value.known));
  const problem = opened.ok ? opened.value.diverged : opened.error.problems[0];
  const why = ANEW[problem?.code ?? '']?.(name);
  if (why === undefined) return opened.ok ? ok(undefined) : opened;
  const cost = campaign.manifest.environment.baseUrl === EMULATOR ? '' : ', and pays for it';
  const what = `${why} A new one knows nothing: the next apply creates everything again${cost}.`;
  const question = { what, question: 'Start anew?' };
  const declined = consent.isGiven(question) ? undefined : await consent.ask(question);
  return declined ? err(declined) : begin(runtime, campaign, options);
}

async function begin(
  runtime: Runtime,
  campaign: Campaign,
  options: Consenting,
): Promise<Result<string, Refusal>> {
  const others = await campaign.others();
  const change = { ...options, campaign, command, allow: ['vanished'] } as const;
  const begun = await changeState(runtime, change, async ({ version, known, header }, at) => {
    // It may have been brought back while the question was open.
    if (version !== '') return err(exists(campaign.store.name, known));
    return ok({ value: header.lineage, events: [...(await spentBefore(campaign, others, at))] });
  });
  if (begun.ok) for (const other of others) await retire(runtime, { ...campaign, ...other }, options);
  return begun;
}

/** So that it stands in no other campaign's way either. */
async function retire(
  runtime: Runtime,
  other: Campaign,
  { lockTimeoutMs }: Pick<Consenting, 'lockTimeoutMs'>,
): Promise<void> {
  const allow = ['foreign', 'diverged'] as const;
  const open = () => other.store.write(writingOf(runtime, other, { command, allow, lockTimeoutMs }));
  const opened = await open();
  const marked = opened.ok
    ? await changeOpened(runtime, { consent: AGREED, open: () => Promise.resolve(opened) }, (_, at) =>
        ok({ value: undefined, events: [{ type: 'retired', at }] }),
      )
    : err(stateRefusal(opened.error, other));
  if (marked.ok) return;
  const [problem] = marked.error.problems;
  const summary = `${other.store.name} could not be marked as retired`;
  runtime.emit({
    type: 'warning',
    summary,
    ...(problem?.detail !== undefined && { detail: problem.detail }),
  });
}

const AGREED = { isGiven: () => true, ask: () => Promise.resolve(undefined) };

/** What is known to be spent since the beginning of this month. A rehearsal begins from nothing. */
async function spentBefore(
  campaign: Campaign,
  others: Awaited<ReturnType<Campaign['others']>>,
  at: string,
): Promise<readonly StateEvent[]> {
  const { budget, environment } = campaign.manifest;
  if (environment.baseUrl === EMULATOR) return [];
  const peeked = others.map(async ({ store }) => store.inFile?.peek());
  const states = [await campaign.store.inFile?.committed(), ...(await Promise.all(peeked))];
  const former = states.filter((state) => state !== undefined);
  const spent = former.map((state) => spendingOf(state, budget?.prices ?? {}).months);
  const months = new Map<string, Spent>();
  for (const known of [await notedSpent(campaign), ...spent]) {
    for (const [month, { posts, cost }] of known) {
      // They may be notes about one state: the larger numbers are the safe ones.
      const before = months.get(month) ?? NOTHING_SPENT;
      months.set(month, {
        posts: Math.max(posts, before.posts),
        cost: cost > before.cost ? cost : before.cost,
      });
    }
  }
  return [...months].flatMap(([month, { posts, cost }]) =>
    month >= monthOf(at) && posts > 0
      ? [{ type: 'spent' as const, at, month, posts, cost: amountOf(cost) }]
      : [],
  );
}

function exists(file: string, known: number): Refusal {
  const detail = `${file} is there and knows ${known} nodes. To start anew, move it away first.`;
  return refusal(EXIT.usage, { code: 'state-exists', summary: 'There is a state', detail });
}

/** Ends a rehearsal: its state, and what is left of the emulator's data, are kept under other names. */
async function putRehearsalAside(
  runtime: Runtime,
  { store, emulatorData: folder, target }: Campaign,
  { lockTimeoutMs }: Consenting,
): Promise<Refusal | undefined> {
  const ending = `.before-new-${timestamp(runtime).replaceAll(':', '-')}`;
  const file = stateInFile(store);
  if (!file.ok) return stateRefusal(file.error, { target });
  const locking = { lockTimeoutMs, clock: runtime.clock, command: 'campaign state new' };
  const moved = await file.value.setAside(ending, { ...locking, folder });
  return moved.ok ? undefined : stateRefusal(moved.error, { target });
}
