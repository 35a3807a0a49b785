/** What one seed does: a campaign, edits, faults and deaths, all as plain data, so that a failure can be made smaller. */
import { pick, seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { CampaignWords, ItemWords } from '../support/campaign.ts';
import type { DiskFault } from '../support/crash-disk.ts';
import type { SimulatedFault } from '../support/simulated-client.ts';
import { edited, type Edit } from './seeded-edits.ts';

export interface Script {
  readonly seed: number;
  readonly words: CampaignWords;
  readonly chapters: readonly Chapter[];
  /** By number of the operation of the disk. `power`: gone with the process. */
  readonly disk: readonly { readonly n: number; readonly fault: DiskFault; readonly power: boolean }[];
  /** By number of the request. */
  readonly network: readonly { readonly n: number; readonly fault: SimulatedFault }[];
  /** Descriptions of items whose making does not go as usual. */
  readonly fates: Readonly<Record<string, 'fails' | 'goes-back' | 'unknown-status'>>;
  /** Requests, by number, that a gateway answers with 404 in place of the service; tokens it gives. */
  readonly spell?: { readonly from: number; readonly until: number };
}

export interface Chapter {
  readonly edits: readonly Edit[];
  /** How many runs it gets before the next edit; unknown creates are decided after them, or not yet. */
  readonly runs: number;
  readonly decides: boolean;
}

type Dice = {
  readonly random: () => number;
  readonly upTo: (most: number) => number;
  readonly word: () => string;
};

function diceOf(seed: number): Dice {
  const random = seededRandom(`script ${seed}`);
  let words = 0;
  return {
    random,
    upTo: (most) => Math.floor(random() * (most + 1)),
    word: () => `w${(words += 1)}`,
  };
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** The script of a seed. */
export function scriptOf(seed: number): Script {
  const dice = diceOf(seed);
  const { random, upTo } = dice;
  const words = firstWords(dice);
  const chapters: Chapter[] = [];
  let now = words;
  for (const index of times(1 + upTo(3), (n) => n)) {
    const edits: Edit[] = [];
    for (const n of index === 0 ? [] : times(1 + upTo(1), (one) => one)) {
      const edit = editOf(now, dice, `${index}${n}`);
      edits.push(edit);
      now = edited(now, edit);
    }
    chapters.push({ edits, runs: 1 + upTo(2), decides: random() < 0.5 });
  }
  return {
    seed,
    words,
    chapters,
    disk: times(upTo(4), () => ({ n: 1 + upTo(250), fault: diskFault(dice), power: random() < 0.5 })),
    network: times(upTo(8), () => ({ n: 1 + upTo(70), fault: networkFault(dice) })),
    fates: fatesOf(now, dice),
    ...spellOf(dice),
  };
}

function spellOf({ random, upTo }: Dice): Pick<Script, 'spell'> {
  if (random() < 0.6) return {};
  const from = 1 + upTo(70);
  return { spell: { from, until: from + 3 + upTo(60) } };
}

function itemOf(products: readonly string[], { upTo, word }: Dice, key: string): ItemWords {
  const product = products[upTo(products.length - 1)] ?? '';
  return { key, products: [product], descriptions: [word()], ratio: upTo(1) ? '1:1' : '9:16' };
}

function firstWords(dice: Dice): CampaignWords {
  const { upTo, word } = dice;
  const products = times(1 + upTo(2), (n) => `p${n}`);
  const concepts = times(1 + upTo(1), (n) => `c${n}`);
  return {
    products: Object.fromEntries(
      products.map((key) => [key, { photos: [`photo-${key}`], description: word() }]),
    ),
    concepts: Object.fromEntries(
      concepts.map((key) => [key, { refs: [`mood-${key}`], description: word() }]),
    ),
    posts: Object.fromEntries(
      times(1 + upTo(2), (n) => [
        `q${n}`,
        {
          concept: concepts[upTo(concepts.length - 1)] ?? '',
          items: times(1 + upTo(2), (index) => itemOf(products, dice, `i${index}`)),
        },
      ]),
    ),
  };
}

/** `mark` makes new keys that no other edit makes; a renamed key says what it was called first. */
function editOf({ products = {}, concepts = {}, posts = {} }: CampaignWords, dice: Dice, mark: string): Edit {
  const one = (keys: readonly string[]) => keys[dice.upTo(keys.length - 1)] ?? '';
  const product = one(Object.keys(products));
  const post = one(Object.keys(posts));
  const item = one((posts[post]?.items ?? []).map(({ key = '' }) => key));
  const as = dice.word();
  const fresh = () => itemOf(Object.keys(products), dice, `n${mark}`);
  const renamed = (key: string) => `${key.replace(/\.r\d+$/, '')}.r${mark}`;
  return pick<() => Edit>(dice.random, [
    () => ({ type: 'rename-product', key: product, to: renamed(product) }),
    () => ({ type: 'rename-post', key: post, to: renamed(post) }),
    () => ({ type: 'describe-product', key: product, as }),
    () => ({ type: 'describe-concept', key: one(Object.keys(concepts)), as }),
    () => ({ type: 'describe-item', post, item, as }),
    () => ({ type: 'remove-item', post, item }),
    () => ({ type: 'add-item', post, item: fresh() }),
    () => ({
      type: 'add-post',
      key: `a${mark}`,
      post: { concept: one(Object.keys(concepts)), items: [fresh()] },
    }),
    () =>
      Object.keys(posts).length > 1
        ? { type: 'remove-post', key: post }
        : { type: 'describe-item', post, item, as },
  ])();
}

function diskFault({ random, upTo }: Dice): DiskFault {
  return pick<DiskFault>(random, [
    { type: 'die', when: 'before' },
    { type: 'die', when: 'after' },
    { type: 'short', bytes: upTo(400), ends: 'die' },
    { type: 'short', bytes: upTo(400), ends: 'ENOSPC' },
    { type: 'fail', code: 'EIO' },
  ]);
}

function networkFault({ random }: Dice): SimulatedFault {
  return pick<SimulatedFault>(random, [
    'refused',
    'unreachable',
    'cut',
    'cut-done',
    'silent',
    'silent-done',
    'garbage',
    { status: 503 },
    { status: 400 },
    { status: 429, retryAfter: 3 },
  ]);
}

function fatesOf({ posts = {} }: CampaignWords, { random }: Dice): Script['fates'] {
  const descriptions = Object.values(posts).flatMap(({ items }) =>
    items.flatMap((item) => item.descriptions ?? []),
  );
  const unusual = descriptions.filter(() => random() < 0.15);
  return Object.fromEntries(
    unusual.map((word) => [word, pick(random, ['fails', 'goes-back', 'unknown-status'])]),
  );
}
