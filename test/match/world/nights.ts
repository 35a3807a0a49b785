/** Nights of a campaign and of a feed: each plan is looked at, and an apply goes on from what the one before has left. */
import type { Address } from '../../../src/model/address.ts';
import type { Plan } from '../../../src/model/plan.ts';
import { currentTake } from '../../../src/model/run-state.ts';
import type { StateEvent } from '../../../src/model/state-event.ts';
import type { Verdict } from '../../../src/model/verdict.ts';
import type { FoldState } from '../../../src/log/fold-state.ts';
import { withPeriod } from '../../../src/model/period.ts';
import type { CampaignWords } from '../../support/campaign.ts';
import { AT, type End } from '../../support/play-plan.ts';
import { folded, isLetGo, look, played, productsShown, type Seen, verdictsOf } from './adapter.ts';
import { EditedCampaign, Feed } from './campaign.ts';
import { faults, misnamed } from './oracle.ts';

const NIGHTS = 8;

/** The events before a crash, which comes between any two; no product or concept is left without an answer. */
function cut(events: readonly StateEvent[], share: number): readonly StateEvent[] {
  const end = Math.floor(share * events.length);
  const last = events[end - 1];
  return events.slice(0, last?.type === 'intent' && !('request' in last) ? end + 1 : end);
}

/** Some posts are still being generated when the apply ends, some have failed. */
function endsOf(plan: Plan, world: { under: (n: number) => number }): Record<Address, End> {
  const media = plan.nodes.filter(({ kind }) => kind === 'media');
  return Object.fromEntries(
    media.flatMap(({ address }): [Address, End][] => {
      const chance = world.under(20);
      return chance < 3 ? [[address, 'open']] : chance === 3 ? [[address, 'failed']] : [];
    }),
  );
}

/** Which product the post of each path is about, where its path says so. */
function productsOf({ posts = {} }: CampaignWords): Map<string, Address> {
  return new Map(
    Object.entries(posts).flatMap(([path, { items, period }]): [string, Address][] => {
      const [product] = items[0]?.products ?? [];
      const isNamed = product !== undefined && path.split('/')[1]?.split('+').includes(product);
      return isNamed ? [[withPeriod(path, period?.name), `product/${product}`]] : [];
    }),
  );
}

/** An apply that ended well lets go of what it left alone, one that held something up or saw a part of nothing. */
function wronglyLetGo(seen: Seen, after: FoldState): string[] {
  const isLeft = new Set(seen.held.leftAlone);
  const isWell = !seen.isPart && !seen.held.held.length;
  return seen.media
    .filter((medium) => isLeft.has(medium.address))
    .filter((medium) => isLetGo(after.media.get(medium.address)) !== (isWell || isLetGo(medium)))
    .map(({ address }) => `${address} is ${isWell ? 'not let go' : 'let go by what held something up'}`);
}

/** What is wrong with the first bad plan of one campaign, with the edits that led there. */
export function playCampaign(seed: number): string[] {
  const world = new EditedCampaign(`was ${seed}`);
  const said: string[] = [];
  const verdicts: Record<string, Verdict['verdict']> = {};
  let log: readonly StateEvent[] = [];
  let state = folded(log);
  const goOn = (events: readonly StateEvent[]) => {
    log = [...log, ...events];
    state = folded(events, state);
  };
  for (let night = 0; night < NIGHTS; night += 1) {
    if (night) said.push(world.edit());
    const words = world.words();
    const only = night && !world.under(7) ? [`media/${world.pick(Object.keys(words.posts ?? {}))}*`] : [];
    const of = { now: world.day, verdicts: verdictsOf(verdicts), only, isByProduct: seed % 2 > 0 };
    const seen = look({ words, state, ...of });
    const today = new Date(world.day).toISOString().slice(0, 10);
    const isAgreed = !night || !world.under(3);
    const plan = isAgreed ? seen.made : seen.held;
    const events = played(seen, plan, endsOf(plan, world));
    const after = folded(events, state);
    const wrong = [
      ...faults(seen, productsShown(log), today),
      ...misnamed(seen, after, productsOf(words), productsShown([...log, ...events])),
      ...(isAgreed ? [] : wronglyLetGo(seen, after)),
    ];
    if (wrong.length) return [`world ${seed}, night ${night}: ${said.join(' / ')}`, ...wrong];
    const isCut = night > 0 && !world.under(4);
    goOn(isCut ? cut(events, world.under(100) / 100) : events);
    said.push([isAgreed && 'agreed', only.length && 'only', isCut && 'crash'].filter(Boolean).join(' '));
    goOn(decided(state, verdicts, world));
    if (night && !world.under(3)) world.goOn(1 + world.under(20));
  }
  return [];
}

/** People look at what was made: some of it they approve or reject, and what became of a request they find out. */
function decided(
  { media, requests }: FoldState,
  verdicts: Record<string, Verdict['verdict']>,
  world: EditedCampaign,
): StateEvent[] {
  for (const medium of media.values()) {
    const { id } = currentTake(medium)?.result ?? {};
    if (id !== undefined && !world.under(12)) verdicts[id] = world.under(2) ? 'rejected' : 'approved';
  }
  const unknown = [...requests.values()].filter(({ status }) => status === 'unknown' && world.under(2));
  return unknown.map(({ address }) => ({ type: 'resolved', at: AT, address, decision: 'not-created' }));
}

/** The first night on which a feed that nobody edits has to be asked about. */
export function playFeed(seed: number): string[] {
  const feed = new Feed(`feed ${seed}`);
  let log: readonly StateEvent[] = [];
  let state = folded(log);
  for (let night = 0; night < NIGHTS; night += 1) {
    if (night) feed.turnOver();
    const now = Date.parse('2026-11-16') + night * 86_400_000;
    const seen = look({ words: feed.words(), state, now });
    const wrong = [
      ...seen.held.held.map(({ address }) => `${address} is asked about`),
      ...faults(seen, productsShown(log), '2026-11-16'),
    ];
    if (wrong.length) return [`feed ${seed}, night ${night}`, ...wrong];
    const events = played(seen, seen.held, endsOf(seen.held, feed));
    const isCut = !feed.under(4);
    const done = isCut ? cut(events, feed.under(100) / 100) : events;
    log = [...log, ...done];
    state = folded(done, state);
    if (!isCut) feed.end();
  }
  return [];
}
