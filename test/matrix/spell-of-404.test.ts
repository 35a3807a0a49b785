/** Spells in which everything is answered with 404: nothing that was paid for is given up, or paid for twice. */
import { expect, it } from 'vitest';
import type { ApplyOptions } from '../../src/cli/options.ts';
import type { Emulator, FaultRule } from '../../src/emulator/emulator.ts';
import { listState } from '../../src/views/list-state.ts';
import { createHurriedClock } from '../support/hurried-clock.ts';
import { duplicates, unrecorded } from '../support/ledger-check.ts';
import { type Applied, applyPlace } from './apply.ts';
import { openService } from './open-service.ts';
import { makePlace, type Place } from './place.ts';

const KEYS = ['kitchen', 'cellar', 'attic'];
const MANIFEST = `concepts:
  morning: { description: Soft light }
products:
  tote: { images: [tote.png] }
posts:
  hero:
    concept: morning
    items:
${KEYS.map((key) => `      - { key: ${key}, post_type: image, products: [tote], aspect_ratio: "1:1" }`).join('\n')}
`;

/** As from a gateway in place of the service, or with another account's key: it gives a token, and has nothing. */
const NOTHING_THERE: FaultRule = {
  on: ['media', 'media-config', 'products', 'concepts']
    .flatMap((list) => [
      list === 'media' ? 'GET /media/{id}/{id}/' : `GET /${list}/{id}/`,
      ...(list === 'media' ? [] : [`POST /${list}/`]),
    ])
    .filter((route) => route !== 'GET /concepts/{id}/'),
  do: { fault: 'status', status: 404, message: 'Not found' },
};

const statuses = ({ state }: Applied) =>
  listState(state).flatMap(({ kind, status }) => (kind === 'media' ? [status] : []));
const requests = (emulator: Emulator) =>
  emulator.calls.filter(({ route }) => route === 'POST /media-config/').length;

interface Campaign {
  readonly emulator: Emulator;
  readonly place: Place;
  readonly apply: (flags?: Partial<ApplyOptions>) => Promise<Applied>;
}

/** Three posts that are being generated, on a clock on which that takes no time for the test. */
async function threePosts(): Promise<Campaign> {
  const clock = createHurriedClock();
  // Longer than a busy machine keeps a first poll waiting.
  const generationMs = { image: 60_000, carousel: 0, video: 0 };
  const emulator = await openService({ generationMs, estimatedDuration: 'none' }, clock);
  const place = await makePlace(emulator.url);
  await place.write(MANIFEST);
  return { emulator, place, apply: (flags = {}) => applyPlace(place, { flags, clock }) };
}

async function expectAllThere({ emulator, place, apply }: Campaign): Promise<void> {
  emulator.order([]);
  let after = await apply();
  // Pictures are rendered in real time, which a clock that hurries makes many minutes of.
  for (let run = 1; run < 5 && after.exit === 3; run += 1) after = await apply();
  expect([after.exit, statuses(after)], after.text).toEqual([0, ['done', 'done', 'done']]);
  expect(requests(emulator)).toBe(1);
  const entries = emulator.ledger.entries();
  expect(duplicates(entries)).toEqual([]);
  expect(unrecorded(entries, listState(after.state))).toEqual([]);
  await place.remove();
}

it('a spell that outlasts the run is an outage: the posts stay pending, and the next run has them (scenario 25)', async () => {
  const campaign = await threePosts();
  const first = await campaign.apply({ wait: false });
  expect([first.exit, statuses(first)]).toEqual([3, ['pending', 'pending', 'pending']]);
  // Each is seen once, before all is 404.
  campaign.emulator.order([{ ...NOTHING_THERE, when: { from: 4 } }]);
  const spell = await campaign.apply();
  expect([spell.exit, statuses(spell)], spell.text).toEqual([69, ['pending', 'pending', 'pending']]);
  expect(spell.text).toContain('The service says 404 for what it had');
  await expectAllThere(campaign);
});

it('a spell of half a minute is waited out', async () => {
  const campaign = await threePosts();
  await campaign.apply({ wait: false });
  // The first three answers see the posts; of the next ones, twelve are 404.
  campaign.emulator.order([{ ...NOTHING_THERE, when: { from: 4, times: 12 } }]);
  const run = await campaign.apply();
  expect([0, 3]).toContain(run.exit);
  expect(statuses(run), run.text).not.toContain('lost');
  await expectAllThere(campaign);
});

it("a run with another account's key gives nothing up, and --retry-failed pays for nothing", async () => {
  const campaign = await threePosts();
  // One poll of each says that it failed, which is not true.
  campaign.emulator.order([{ on: 'generation', do: { fault: 'generation', how: 'fails' } }]);
  const failed = await campaign.apply();
  expect([failed.exit, statuses(failed)], failed.text).toEqual([1, ['failed', 'failed', 'failed']]);

  campaign.emulator.order([NOTHING_THERE]);
  const plain = await campaign.apply();
  expect([plain.exit, statuses(plain)], plain.text).toEqual([1, ['failed', 'failed', 'failed']]);
  const retried = await campaign.apply({ retryFailed: '*' });
  expect([retried.exit, statuses(retried)], retried.text).toEqual([3, ['failed', 'failed', 'failed']]);
  expect(retried.text).toContain('Not requested again: Nobody could find out');
  expect(requests(campaign.emulator)).toBe(1);
  await campaign.place.remove();
});
