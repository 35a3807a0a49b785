/** Random campaigns, edited at random, several edits at a time: nothing is bought that was there before. */
import { expect, it } from 'vitest';
import { emptyState } from '../../src/log/fold.ts';
import { postPlanOf } from '../../src/model/address.ts';
import type { RunState } from '../../src/model/run-state.ts';
import { matchState } from '../../src/plan/match-state.ts';
import { graphOf } from '../support/campaign.ts';
import { applied, planOf } from '../support/play-plan.ts';
import { EditedWorld } from './edited-world.ts';

const FIRST = Number(process.env['SEED'] ?? 0);
const WORLDS = Number(process.env['WORLDS'] ?? (process.env['SWEEP'] === 'full' ? 2000 : 50));

/** What is wrong with the plans of one world, with the edits that led there. */
function play(seed: number): string | undefined {
  const world = new EditedWorld(`world ${seed}`);
  let state = emptyState();
  const said: string[] = [];
  const before = new Set<string>();
  for (let step = 0; step < 8; step += 1) {
    if (step) said.push(world.editSome());
    const { words, wanted } = world.words();
    const wrong = wrongWith(world, before, state);
    if (wrong !== undefined) return `world ${seed}: ${said.join(' / ')}: ${wrong}`;
    const replacements = world.under(2) ? 'hold' : 'make';
    state = applied(planOf(words, state, { replacements }), state);
    const { newPosts } = planOf(words, state, { replacements: 'hold' });
    if (newPosts) return `world ${seed}: ${said.join(' / ')}: bought ${newPosts} twice`;
    before.clear();
    for (const { id } of wanted.flat()) before.add(id);
    if (step && !world.under(4)) world.goOn(1 + world.under(20));
  }
  return undefined;
}

/**
 * Posts that were there and are bought, more of them than new ones that take over what was there. (Of two items that show
 * the same, whose texts are both new, nobody knows which one is the new one.) Or new ones that are asked about although
 * nothing was ever taken away.
 */
function wrongWith(world: EditedWorld, before: ReadonlySet<string>, state: RunState): string | undefined {
  const { words, wanted } = world.words();
  const excess = new Map<string, number>();
  for (const [index, { items, post }] of matchState(graphOf(words), state).posts.entries())
    for (const [at, { known, item, address }] of items.entries()) {
      const id = wanted[index]?.[at]?.id ?? '';
      const isOld = before.has(id) && !world.lost.has(id);
      const group = `${postPlanOf(post.path)} ${item.products.join(' ')}`;
      const count = Number(isOld && !known) - Number(!isOld && known !== undefined);
      excess.set(group, (excess.get(group) ?? 0) + count);
      if (known && !before.has(id) && world.isGrowing) return `asked about ${address}`;
    }
  const [bought] = [...excess].find(([, count]) => count > 0) ?? [];
  return bought && `bought ${bought}`;
}

it('what was there is asked about and never bought anew, however a campaign is edited, and what is new is bought', () => {
  const worlds = Array.from({ length: WORLDS }, (_, index) => play(FIRST + index));
  const wrong = worlds.filter((each) => each !== undefined);
  expect(wrong.sort((a, b) => a.length - b.length).slice(0, 20)).toEqual([]);
});
