import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { planLine } from '../../src/render/plan-line.ts';
import { planText } from '../../src/render/plan-text.ts';
import { createStyle } from '../../src/render/style.ts';
import { emptyState } from '../../src/log/fold.ts';
import { heroOf } from '../support/campaign.ts';
import { PLAIN } from '../support/plain-style.ts';
import { planOf, stateAfter } from '../support/play-plan.ts';
import { HELD, locate, SAMPLE } from './plan-samples.ts';

const CAMPAIGN = { locate, target: 'm.yaml --env stage' };

const textOf = (plan: Plan) => planText(plan, { campaign: CAMPAIGN, style: PLAIN });

const THREE = heroOf({ descriptions: ['a'] }, { descriptions: ['b'] }, { descriptions: ['c'] });
const FOUR = heroOf(
  { descriptions: ['a'] },
  { descriptions: ['b'] },
  { descriptions: ['c'] },
  { descriptions: ['d'] },
);

describe('the text of a plan', () => {
  it('has a symbol and an address a line, causes below, the sum at the end', () => {
    expect(`\n${textOf(SAMPLE)}`).toBe(`
    > product/bag → product/sack
    > media/page/1 → media/paper/1
    + photos/new.jpg  upload/11507a0e2f5e69d5, 1.5 MB
    ~ product/tote
        description: "Canvas" → "Natural canvas"  campaign.yaml:12
        images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:13
    + product/cap
    + concept/night
        tried again: Said no
      media-config/hero@2  one request, 2 posts
  -/+ media/hero/1
        product/tote changed (assets[0].product)
          description: "Canvas" → "Natural canvas"  campaign.yaml:12
          images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:13
    + media/hero/3  image 9:16
      media-config/dark@1  one request, 1 post
    + media/dark/1  image 1:1
      media-config/wall@1  one request, 1 post
    + media/wall/2  image 1:1
    ! media/wall/1
        waits for product/pen
    … media/late/1@1
        requested 2026-01-01T00:00:00.000Z
    - media-config/gone@1  with 2 posts
        no longer named
    - product/gone
        no longer named
    > out/page/1-image.png → out/paper/1-image.png
    ! media/lost/1 is gone: Said no. The service said no.
    ! product/pen unknown: No answer
        decide: \`campaign resolve m.yaml --env stage product/pen\` asks, or takes --id UUID, --not-created or --skip
    ! media-config/twice@1 unknown: interrupted. The run ended while the request was under way; the service may or may not have acted on it.
        decide: \`campaign resolve m.yaml --env stage media-config/twice@1\` asks, or takes --id UUID, --not-created or --skip
    product/old left alone: the manifest no longer names it

Plan: 6 to create, 1 to update, 1 to replace, 2 to delete, 2 to move. 4 posts to pay. 1 pending, 1 gone, 2 unknown, 1 blocked.
`);
  });

  it('says which replacements are left as they are', () => {
    expect(`\n${textOf(HELD)}`).toBe(`
    > product/bag → product/sack
    > media/page/1 → media/paper/1
    + photos/new.jpg  upload/11507a0e2f5e69d5, 1.5 MB
    ~ product/tote
        description: "Canvas" → "Natural canvas"  campaign.yaml:12
        images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:13
    + product/cap
    + concept/night
        tried again: Said no
      media-config/hero@2  one request, 1 post
    + media/hero/3  image 9:16
      media-config/dark@1  one request, 1 post
    + media/dark/1  image 1:1
      media-config/wall@1  one request, 1 post
    + media/wall/2  image 1:1
    ! media/wall/1
        waits for product/pen
    … media/late/1@1
        requested 2026-01-01T00:00:00.000Z
    > out/page/1-image.png → out/paper/1-image.png
  -/+ media/hero/1  left as it is: replacing a finished post needs --yes
        product/tote changed (assets[0].product)
          description: "Canvas" → "Natural canvas"  campaign.yaml:12
          images[0]: an earlier image (2d8d693177ac4489) → photos/new.jpg (11507a0e2f5e69d5)  campaign.yaml:13
    ! media/lost/1 is gone: Said no. The service said no.
    ! product/pen unknown: No answer
        decide: \`campaign resolve m.yaml --env stage product/pen\` asks, or takes --id UUID, --not-created or --skip
    ! media-config/twice@1 unknown: interrupted. The run ended while the request was under way; the service may or may not have acted on it.
        decide: \`campaign resolve m.yaml --env stage media-config/twice@1\` asks, or takes --id UUID, --not-created or --skip
    product/old left alone: the manifest no longer names it

Plan: 6 to create, 1 to update, 0 to replace, 0 to delete, 2 to move. 3 new posts. 1 finished left as it is. 1 pending, 1 gone, 2 unknown, 1 blocked.
`);
  });

  it('says that there is nothing to do', () => {
    expect(textOf(planOf(THREE, stateAfter(THREE)))).toBe('No changes.\n');
  });

  it('counts one post as one', () => {
    expect(planLine(planOf(heroOf({}), emptyState()), PLAIN)).toBe(
      'Plan: 5 to create, 0 to update, 0 to replace, 0 to delete. 1 new post.',
    );
  });

  it('is a plan where files change their names', () => {
    const state = stateAfter(THREE);
    const plan = planOf(THREE, state, { outputs: { dir: 'results', name: '{post}-{item}' } });
    expect(textOf(plan)).toBe(`    > out/hero/1-image.png → results/hero-1.png
    > out/hero/2-image.png → results/hero-2.png
    > out/hero/3-image.png → results/hero-3.png

Plan: 0 to create, 0 to update, 0 to replace, 0 to delete. 0 new posts.
`);
  });

  it('cuts long values and shows nothing that moves a cursor', () => {
    const words = (description: string) => ({ concepts: { morning: { description } } });
    const plan = planOf(words(`\u001b[2J${'light '.repeat(20)}`), stateAfter(words('dark')));
    expect(textOf(plan)).toBe(`    ~ concept/morning
        description: "dark" → "\\u001b[2Jlight light light light light light light light l…

Plan: 0 to create, 1 to update, 0 to replace, 0 to delete. 0 new posts.
`);
  });

  it('colours what a terminal can show', () => {
    const style = createStyle({ isTTY: true }, 'auto');
    const text = planText(SAMPLE, { campaign: CAMPAIGN, style });
    expect(text.replaceAll(new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g'), '')).toBe(textOf(SAMPLE));
  });
});

describe('a plan that sends nothing', () => {
  const lineAfter = (ends: Parameters<typeof stateAfter>[1], options = {}) =>
    planLine(planOf(FOUR, stateAfter(FOUR, ends), options), PLAIN);

  it.each([
    [{}, 'No changes.'],
    [
      {
        'media/hero/1@1': 'open',
        'media/hero/2@1': 'seen',
        'media/hero/3@1': 'open',
        'media/hero/4@1': 'failed',
      },
      'No changes; 3 pending, 1 failed.',
    ],
    [{ 'download/hero/1@1': 'failed' }, 'No changes; 1 to download.'],
    [{ 'download/hero/1@1': 'failed', 'media/hero/2@1': 'open' }, 'No changes; 1 pending, 1 to download.'],
    [{ 'media-config/hero@1': 'unknown' }, 'No changes; 4 unknown.'],
    [{ 'product/tote': 'unknown' }, 'No changes; 1 unknown, 4 blocked.'],
  ] as const)('%j: %s', (ends, line) => {
    expect(lineAfter(ends)).toBe(line);
  });

  it('counts pending posts where nothing is written', () => {
    expect(lineAfter({ 'media/hero/1@1': 'open' }, { outputs: false })).toBe('No changes; 1 pending.');
  });
});
