/**
 * Nights of a shop that edits its campaign, mostly without consent and with crashes, seen from what was paid for: nothing
 * is bought that is there already, and no post is bought while what it was before lies unused.
 */
import { expect, it } from 'vitest';
import { emptyState, fold } from '../../src/log/fold.ts';
import { mediaAddress } from '../../src/model/address.ts';
import { everyOf, hasDay } from '../../src/model/period.ts';
import { currentTake, type MediaState, type TakeState } from '../../src/model/run-state.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { DecidedItem } from '../../src/plan/decide-post.ts';
import { draftPlan } from '../../src/plan/draft-plan.ts';
import { finishPlan } from '../../src/plan/make-plan.ts';
import { groupBy } from '../../src/util/group-by.ts';
import { graphOf, OUTPUTS } from '../support/campaign.ts';
import { eventsOf } from '../support/play-plan.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { ShopWorld, type WantedPost } from './shop-world.ts';

const FIRST = Number(process.env['SEED'] ?? 0);
const WORLDS = Number(process.env['WORLDS'] ?? (IS_FULL ? 700 : 60));
const NIGHTS = 8;

/** An item of a plan, and which post it is. */
type Wanted = DecidedItem & { readonly want: WantedPost };

/** What was paid for, and as which post. */
interface Paid {
  readonly medium: MediaState;
  readonly take: TakeState;
  readonly as: WantedPost | undefined;
}

/** What is wrong with the first bad plan of one world, with the edits that led there. */
function play(seed: number): string | undefined {
  const world = new ShopWorld(`shop ${seed}`);
  const said: string[] = [];
  /** By request and item. */
  const ledger = new Map<string, WantedPost>();
  let state = emptyState();
  for (let night = 0; night < NIGHTS; night += 1) {
    if (night) said.push(world.editSome());
    const { words, wanted } = world.words();
    const draft = draftPlan({ graph: graphOf(words), state, outputs: OUTPUTS, now: world.day });
    const items = draft.posts.flatMap(({ items: decided }, index) =>
      decided.flatMap((item, at): Wanted[] => {
        const want = wanted[index]?.[at];
        return want ? [{ ...item, want }] : [];
      }),
    );
    const paid = [...draft.matched.state.media.values()].flatMap((medium) =>
      medium.takes
        .filter(({ status }) => status === 'done' || status === 'pending')
        .map((take) => ({ medium, take, as: ledger.get(`${take.request} ${take.requestedAs}`) })),
    );
    const wrong = boughtAgain(items, paid) ?? boughtBeside(items, paid, world.today());
    if (wrong !== undefined) return `world ${seed}, night ${night}: ${said.join(' / ')}: ${wrong}`;
    const isAgreed = !night || !world.under(3);
    const events = eventsOf(finishPlan(draft, isAgreed ? 'make' : 'hold'), state, {});
    const isCut = night > 0 && !world.under(4);
    const done = isCut ? cut(events, world.under(100) / 100) : events;
    if (isCut) said.push(`crash after ${done.length} of ${events.length}`);
    enter(done, items, ledger);
    state = done.reduce((now, event) => fold(now, event), structuredClone(state));
    if (night && !world.under(3)) world.goOn(1 + world.under(20));
  }
  return undefined;
}

/** The events before a crash; no create is left without its answer, which somebody would have to look up. */
function cut(events: readonly StateEvent[], share: number): readonly StateEvent[] {
  const end = Math.floor(share * events.length);
  return events.slice(0, events[end - 1]?.type === 'intent' ? end + 1 : end);
}

function enter(
  events: readonly StateEvent[],
  items: readonly Wanted[],
  ledger: Map<string, WantedPost>,
): void {
  const byAddress = new Map(items.map((item) => [item.address, item.want]));
  for (const event of events) {
    if (event.type !== 'intent' || !('request' in event)) continue;
    for (const { item } of event.request?.items ?? []) {
      const want = byAddress.get(mediaAddress(event.request?.post ?? '', item));
      if (want) ledger.set(`${event.address} ${item}`, want);
    }
  }
}

/** Whether more is bought of one content in one period than is not there. */
function boughtAgain(items: readonly Wanted[], paid: readonly Paid[]): string | undefined {
  const keyOf = (fingerprint: string, period: string | undefined) => `${fingerprint} ${period}`;
  // A take that was only made again is no second one.
  const there = groupBy(
    paid.filter(({ medium, take }) => isCurrent(medium, take) || take.fingerprint !== contentOf(medium)),
    ({ medium, take }) => keyOf(take.fingerprint, medium.period),
  );
  const asked = groupBy(items, ({ item, want }) => keyOf(item.fingerprint, want.period));
  for (const [key, same] of asked) {
    const bought = same.filter(isBought);
    const known = there.get(key) ?? [];
    if (bought.length > Math.max(0, same.length - known.length))
      return `bought ${bought.map(({ address }) => address).join()}, which is ${known.map(placeOf).join()}`;
  }
  return undefined;
}

/**
 * Whether a post is bought although what it was before, of the same photos, is used by nothing, or by one whose own
 * predecessor is used by nothing, and so on. (Of two items that changed, nobody knows which one is the new one.) What
 * was left alone before is no predecessor.
 */
function boughtBeside(items: readonly Wanted[], paid: readonly Paid[], today: string): string | undefined {
  const users = new Map(items.flatMap((item) => (item.known ? [[item.known.address, item]] : [])));
  const current = groupBy(
    paid.filter(({ medium, take }) => isCurrent(medium, take)),
    ({ as }) => as?.id ?? '',
  );
  const unusedOf = (want: WantedPost, seen: ReadonlySet<string>): Paid | undefined => {
    const before = current.get(want.id)?.findLast((each) => isPredecessor(each, want, today));
    const user = before && users.get(before.medium.address);
    if (!user || seen.has(user.address)) return user ? undefined : before;
    return unusedOf(user.want, new Set([...seen, user.address]));
  };
  for (const item of items.filter(isBought)) {
    const unused = unusedOf(item.want, new Set());
    if (unused) return `bought ${item.address}, while ${placeOf(unused)} lies unused`;
  }
  return undefined;
}

function isPredecessor({ medium, as }: Paid, { photos, period }: WantedPost, today: string): boolean {
  const isOver = medium.period !== undefined && !hasDay(medium.period, today);
  const isOther =
    period !== undefined && medium.period !== period && everyOf(period) === everyOf(`${medium.period}`);
  return as?.photos === photos && !medium.letGo && !isOver && !isOther;
}

function isBought({ decision }: Wanted): boolean {
  return decision.type === 'create' && !decision.heldBy;
}

function isCurrent(medium: MediaState, take: TakeState): boolean {
  return currentTake(medium) === take;
}

function contentOf(medium: MediaState): string | undefined {
  return currentTake(medium)?.fingerprint;
}

function placeOf({ medium, take }: Paid): string {
  return `${medium.address}@${take.n}`;
}

it('what was paid for is never bought again unasked, whatever is edited, left or interrupted', () => {
  const worlds = Array.from({ length: WORLDS }, (_, index) => play(FIRST + index));
  expect(worlds.filter((each) => each !== undefined).sort((a, b) => a.length - b.length)).toEqual([]);
});
