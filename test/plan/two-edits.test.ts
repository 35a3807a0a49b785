/** Random campaigns, edited at random, several edits at a time: nothing is bought that was there before. */
import { expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { postPlanOf } from '../../src/model/address.ts';
import { currentTake, type RunState } from '../../src/model/run-state.ts';
import { matchState } from '../../src/plan/match-state.ts';
import { groupBy } from '../../src/util/group-by.ts';
import { type CampaignWords, graphOf } from '../support/campaign.ts';
import { applied, planOf } from '../support/play-plan.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { EditedWorld } from './edited-world.ts';

const FIRST = Number(process.env['SEED'] ?? 0);
const WORLDS = Number(process.env['WORLDS'] ?? (IS_FULL ? 600 : 50));

/** What is wrong with the plans of one world, with the edits that led there. */
function play(seed: number): string | undefined {
  const world = new EditedWorld(`world ${seed}`);
  let state = emptyState();
  const said: string[] = [];
  let made: ReadonlySet<string> = new Set();
  let seen = made;
  for (let step = 0; step < 8; step += 1) {
    if (step) said.push(world.editSome());
    const wanted = wantedOf(world, state);
    const wrong = wrongWith(world, wanted, { made, seen });
    if (wrong !== undefined) return `world ${seed}: ${said.join(' / ')}: ${wrong}`;
    const { words } = world.words();
    const again = paidForAgain(words, state);
    if (again !== undefined)
      return `world ${seed}: ${said.join(' / ')}: ${again} is there, and paid for again`;
    const replacements = world.under(2) ? 'hold' : 'make';
    state = applied(planOf(words, state, { replacements, now: world.day }), state);
    const { newPosts } = planOf(words, state, { replacements: 'hold', now: world.day });
    if (newPosts) return `world ${seed}: ${said.join(' / ')}: bought ${newPosts} twice`;
    // What is left as it is still is what another one asked for.
    const now = wanted.filter(({ id, known }) => made.has(id) || !known || replacements === 'make');
    // What comes back has its name.
    seen = new Set([...seen, ...wanted.map(({ id }) => id)]);
    made = new Set(now.map(({ id }) => id));
    if (step && !world.under(4)) world.goOn(1 + world.under(20));
  }
  return undefined;
}

interface Wanted {
  /** Stays the same through every edit. */
  readonly id: string;
  readonly address: string;
  readonly plan: string;
  readonly known: boolean;
}

function wantedOf(world: EditedWorld, state: RunState): Wanted[] {
  const { words, wanted } = world.words();
  return matchState(graphOf(words), state).posts.flatMap(({ items, post }, index) =>
    items.map(({ known, address }, at) => ({
      id: wanted[index]?.[at] ?? '',
      address,
      plan: postPlanOf(post.path),
      known: known !== undefined,
    })),
  );
}

/**
 * Posts of a post plan that were made and are bought, more of them than new ones that take over what was there. (Of two
 * items that both changed, nobody knows which one is the new one.) Or new ones that are asked about although
 * nothing was taken away with them.
 */
function wrongWith(
  world: EditedWorld,
  wanted: readonly Wanted[],
  { made, seen }: { readonly made: ReadonlySet<string>; readonly seen: ReadonlySet<string> },
): string | undefined {
  const excess = new Map<string, number>();
  for (const { id, plan, known } of wanted) {
    const isOld = made.has(id) && !world.lost.has(id);
    const count = Number(isOld && !known) - Number(!isOld && known);
    excess.set(plan, (excess.get(plan) ?? 0) + count);
  }
  const asked = wanted.find(
    ({ id, plan, known }) => known && !seen.has(id) && world.isGrowing && (excess.get(plan) ?? 0) < 0,
  );
  if (asked) return `asked about ${asked.address}`;
  const [bought] = [...excess].find(([, count]) => count > 0) ?? [];
  return bought && `bought ${bought}`;
}

/** An item that is to be made although a post of its period is exactly that, and no other item asks for it. */
function paidForAgain(words: CampaignWords, state: RunState): string | undefined {
  const contentOf = (period: string | undefined, fingerprint = '') => `${period} ${fingerprint}`;
  const media = [...state.media.values()].filter(({ surplus }) => !surplus);
  const had = groupBy(media, (each) => contentOf(each.period, currentTake(each)?.fingerprint));
  const items = matchState(graphOf(words), state).posts.flatMap((matched) =>
    matched.items.map(({ address, item: { fingerprint }, known }) => ({
      address,
      content: contentOf(matched.post.period?.name, fingerprint),
      isExact: known !== undefined && currentTake(known)?.fingerprint === fingerprint,
    })),
  );
  const asked = groupBy(items, ({ content }) => content);
  const again = [...asked].flatMap(([content, all]) => {
    const isMade = all.filter(({ isExact }) => isExact).length;
    const isThere = Math.min(all.length, had.get(content)?.length ?? 0);
    return isMade < isThere ? all.filter(({ isExact }) => !isExact) : [];
  });
  return again[0]?.address;
}

it('what was there is asked about and never bought anew, however a campaign is edited, and what is new is bought', () => {
  const worlds = Array.from({ length: WORLDS }, (_, index) => play(FIRST + index));
  expect(worlds.filter((each) => each !== undefined).sort((a, b) => a.length - b.length)).toEqual([]);
});
