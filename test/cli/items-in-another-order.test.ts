import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startEmulator } from '../../src/emulator/emulator.ts';
import { createClient } from '../../src/service/client.ts';
import { realClock } from '../../src/util/clock.ts';
import { API_KEY, campaignFolder, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

const PETS = SMALL.replace(
  /( +items:\n)[^]*/,
  `$1      - { key: cat, post_type: image, products: [tote], aspect_ratio: "1:1", descriptions: [a cat] }
      - { key: dog, post_type: image, products: [tote], aspect_ratio: "1:1", descriptions: [a dog] }
`,
);

it('an answer whose items come back in another order gives "cat" the cat', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'campaign-order-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const behaviour = { itemsAnswer: 'reversed', generationMs: { image: 0, carousel: 0, video: 0 } } as const;
  const service = await untilTestEnds(
    startEmulator({ dataDir, clock: realClock, random: Math.random, behaviour }),
  );
  const campaign = await campaignFolder(PETS, service);
  expect((await campaign.run(['apply', 'm.yaml'])).code).toBe(0);
  const lines = (await campaign.read(STATE)).trimEnd().split('\n');
  const created = lines
    .map((line) => JSON.parse(line) as { event?: { type: string; address: string; result: Request } })
    .find(({ event }) => event?.type === 'created' && event.address === 'media-config/hero@1');
  const { id, items } = created?.event?.result ?? { id: '', items: {} };
  const client = createClient({ baseUrl: service.url, apiKey: API_KEY, clock: realClock });
  onTestFinished(() => client.close());
  const config = await client.getMediaConfig(id);
  const texts = config.ok
    ? new Map(config.value.items.map((item) => [item.id, item['descriptions']]))
    : new Map();
  expect(Object.entries(items).map(([name, item]) => [name, texts.get(item.id)])).toEqual([
    ['cat', [{ description: 'a cat' }]],
    ['dog', [{ description: 'a dog' }]],
  ]);
});

interface Request {
  readonly id: string;
  readonly items: Readonly<Record<string, { readonly id: string }>>;
}
