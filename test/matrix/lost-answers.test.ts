/** The answer of one create is lost after the service has acted: at each create of a campaign. */
import { expect, it } from 'vitest';
import { listState } from '../../src/views/list-state.ts';
import { duplicates, madeAs, unrecorded } from '../support/ledger-check.ts';
import { runHere } from '../support/run-here.ts';
import { applyPlace, type Applied, CANARY_KEY } from './apply.ts';
import { openService } from './open-service.ts';
import { makePlace, type Place } from './place.ts';

const CREATES = ['POST /products/', 'POST /concepts/', 'POST /media-config/'];
const COUNT = 7;
const NEVER = { generationMs: { image: 1e9, carousel: 1e9, video: 1e9 } };

const MANIFEST = `concepts:
  morning: { description: Soft light }
  night: { description: Neon }
products:
  tote: { images: ["https://cdn.example.com/tote.jpg"] }
  mug: { images: ["https://cdn.example.com/mug.jpg"] }
posts:
  hero:
    concept: morning
    items: [{ post_type: image, products: [tote], aspect_ratio: "8:1" }]
  grid:
    matrix: { product: [tote, mug] }
    concept: night
    items: [{ post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "8:1" }]
`;

it.each(Array.from({ length: COUNT }, (_, index) => index + 1))('create %i', async (nth) => {
  const emulator = await openService(NEVER);
  const place = await makePlace(emulator.url);
  await place.write(MANIFEST);
  const asked = () => emulator.calls.filter(({ route }) => CREATES.includes(route)).length;
  const apply = () => applyPlace(place, { flags: { wait: false } });

  emulator.order([{ on: CREATES, when: { nth }, do: { fault: 'cut', effect: 'after' } }]);
  const first = await apply();
  expect(first.exit, first.text).toBe(4);
  const unknown = unknownNodes(first);
  expect(unknown).toHaveLength(1);
  expect(duplicates(emulator.ledger.entries())).toEqual([]);
  expect(unrecorded(emulator.ledger.entries(), listState(first.state))).toHaveLength(1);

  // Nobody has decided: what the lost one is needed for waits, and nothing is sent twice.
  const before = asked();
  expect((await apply()).exit).toBe(4);
  expect(asked()).toBe(before);

  await decide(place, { first, ledger: emulator.ledger.entries() });
  const last = await apply();
  expect(last.exit, last.text).toBe(3);
  expect(asked()).toBe(COUNT);
  expect(unknownNodes(last)).toEqual([]);
  expect(duplicates(emulator.ledger.entries())).toEqual([]);
  expect(unrecorded(emulator.ledger.entries(), listState(last.state))).toEqual([]);
  await place.remove();
});

function unknownNodes({ state }: Applied) {
  const nodes = [...state.objects.values(), ...state.requests.values()];
  return nodes.filter(({ status }) => status === 'unknown');
}

/** What a careful person does: looks into the service's books. */
async function decide(
  place: Place,
  { first, ledger }: { first: Applied; ledger: Parameters<typeof unrecorded>[0] },
): Promise<void> {
  const rows = listState(first.state);
  const ids = new Map(rows.map(({ address, id }) => [address, id]));
  for (const node of unknownNodes(first)) {
    const id = madeAs(node, { lost: unrecorded(ledger, rows), ids });
    const args = ['resolve', 'm.yaml', node.address, '--id', id ?? ''];
    const { code, stderr } = await runHere(args, {
      cwd: place.folder,
      env: { CAMPAIGN_API_KEY: CANARY_KEY },
    });
    expect(code, stderr).toBe(0);
  }
}
