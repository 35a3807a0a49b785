/** Posts that go wrong while they are made: stuck, back from done, of an unknown status, gone, failed. */
import { expect, it } from 'vitest';
import type { FaultRule } from '../../src/emulator/emulator.ts';
import { duplicates, unrecorded } from '../support/ledger-check.ts';
import { listState } from '../../src/views/list-state.ts';
import { applyPlace } from './apply.ts';
import { openService } from './open-service.ts';
import { makePlace } from './place.ts';

const MANIFEST = `concepts:
  morning: { description: Soft light }
products:
  tote: { images: ["https://cdn.example.com/tote.jpg"] }
posts:
  hero:
    concept: morning
    items:
      - { key: kitchen, post_type: image, products: [tote], aspect_ratio: "1:1" }
`;
const HOSTILE = 'too dark\u001B[2J\u001B]0;owned\u0007\r\u202E';

type How = Extract<FaultRule['do'], { fault: 'generation' }>['how'];

/** How the post goes wrong, how long it takes, and how run, post and the next run end. */
const TABLE: readonly (readonly [
  How,
  number,
  { exit: number; status: string; says: RegExp; next: number },
])[] = [
  ['stuck', 0, { exit: 3, status: 'pending', says: /Still pending after 2 min/, next: 3 }],
  ['unknown-status', 0, { exit: 3, status: 'pending', says: /Still pending after 2 min/, next: 3 }],
  ['goes-back', 0, { exit: 0, status: 'done', says: /✓ media\/hero\/kitchen generated/, next: 0 }],
  ['fails', 0, { exit: 1, status: 'failed', says: /failed: too dark \(/, next: 1 }],
  [
    'disappears',
    1e9,
    {
      exit: 1,
      status: 'lost',
      says: /error: The post is gone \[media-lost\]\n {2}at \S*m\.yaml:17:9\n[^]*media\/hero\/kitchen\n/,
      next: 1,
    },
  ],
];

it.each(TABLE)('a post that: %s', async (how, generationMs, expected) => {
  const emulator = await openService({
    generationMs: { image: generationMs, carousel: 0, video: 0 },
    estimatedDuration: 'none',
  });
  emulator.order([{ on: 'generation', do: { fault: 'generation', how, message: HOSTILE } }]);
  const place = await makePlace(emulator.url);
  // The emulator answers in real time, while the clock of the run hurries: only what never ends gets minutes.
  await place.write(MANIFEST, '', expected.exit === 3 ? '2m' : '1h');
  const { exit, text, state } = await applyPlace(place);
  const rows = listState(state);
  const status = rows.find(({ address }) => address === 'media/hero/kitchen')?.status;
  expect({ exit, status }, text).toEqual({ exit: expected.exit, status: expected.status });
  expect(text).toMatch(expected.says);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const requested = () => emulator.calls.filter(({ route }) => route === 'POST /media-config/').length;
  expect(requested()).toBe(1);

  emulator.order([]);
  const { exit: next } = await applyPlace(place);
  expect(next).toBe(expected.next);
  expect(requested()).toBe(1);
  expect(duplicates(emulator.ledger.entries())).toEqual([]);
  expect(unrecorded(emulator.ledger.entries(), rows)).toEqual([]);
  await place.remove();
});
