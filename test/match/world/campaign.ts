/** A shop's campaign that is edited at random; products, concepts, items and post plans know nothing of their former names. */
import { seededRandom } from '../../../src/emulator/pictures/seeded.ts';
import { type Every, type Period, periodOf } from '../../../src/model/period.ts';
import type { CampaignWords, ItemWords, PostWords } from '../../support/campaign.ts';
import { gridOf } from './story.ts';

/** Its name is that of a row of a table; a folder has its own one, which follows it. */
type Product = { key: string; name: string | undefined; photos: string[]; description: string };
type Concept = { key: string; description: string; refs: string[] };
/** What it shows counts where its post plan has no matrix over products. */
type Item = { key: string | undefined; text: string; ratio: string; products: Product[] };
type Matrix = { concept?: Concept[]; product?: '*' | Product[]; ratio?: string[]; side?: string[] };
type PostPlan = { key: string; concept: Concept; matrix: Matrix; every: Every | undefined; items: Item[] };
type Shop = { products: Product[]; concepts: Concept[]; plans: PostPlan[] };

const DAY = 86_400_000;
const RATIOS = ['1:1', '4:5', '9:16', '16:9'];

export class EditedCampaign {
  readonly random: () => number;
  private shop: Shop = { products: [], concepts: [], plans: [] };
  private readonly past: Shop[] = [];
  day = Date.parse('2026-11-16');
  private count = 0;
  moved: { from: string; to: string }[] = [];

  constructor(seed: string) {
    this.random = seededRandom(seed);
    for (let n = 0; n < 2 + this.under(3); n += 1) this.addProduct();
    for (let n = 0; n < 2; n += 1) this.addConcept();
    for (let n = 0; n < 1 + this.under(3); n += 1) this.addPlan();
  }

  under(n: number): number {
    return Math.floor(this.random() * n);
  }

  pick<T>(list: readonly T[]): T {
    return list[this.under(list.length)] as T;
  }

  /** One to three edits; their names, for who has to understand what went wrong. */
  edit(): string {
    this.past.push(structuredClone(this.shop));
    this.moved = [];
    return Array.from({ length: 1 + this.under(3) }, () => {
      const edits = this.edits();
      const name = this.pick(Object.keys(edits));
      edits[name]?.();
      return name;
    }).join(', ');
  }

  goOn(days: number): void {
    this.day += days * DAY;
  }

  private fresh(letter: string): string {
    this.count += 1;
    return `${letter}${this.count}`;
  }

  private addProduct(): Product {
    const { products } = this.shop;
    // Sizes of one shirt have one photo; a chart of sizes stands with many products.
    const photos =
      products.length && !this.under(5)
        ? [...this.pick(products).photos]
        : [this.fresh('photo'), ...(this.under(3) ? [] : ['chart'])];
    const name = this.under(2) ? this.fresh('Name ') : undefined;
    const product = { key: this.fresh('p'), name, photos, description: this.fresh('about ') };
    products.splice(this.under(products.length + 1), 0, product);
    return product;
  }

  private addConcept(): Concept {
    const refs = this.under(2) ? [this.fresh('ref')] : [];
    const concept = { key: this.fresh('c'), description: this.fresh('light '), refs };
    this.shop.concepts.push(concept);
    return concept;
  }

  private item(): Item {
    const { products } = this.shop;
    const shown = new Set([this.pick(products), ...(this.under(4) ? [] : [this.pick(products)])]);
    return {
      key: this.under(2) ? this.fresh('k') : undefined,
      text: this.fresh('text '),
      ratio: this.pick(RATIOS),
      products: this.under(12) ? [...shown] : [],
    };
  }

  private addPlan(): PostPlan {
    const { concepts, products } = this.shop;
    const some = <T>(list: readonly T[]) => list.filter((_, index) => index === 0 || this.under(3) > 0);
    const plan = {
      key: this.fresh('q'),
      concept: this.pick(concepts),
      matrix: {
        ...(!this.under(3) && { concept: some(concepts) }),
        ...(this.under(5) > 1 && { product: this.under(2) ? ('*' as const) : some(products) }),
        ...(!this.under(4) && { ratio: RATIOS.slice(0, 1 + this.under(2)) }),
        ...(!this.under(6) && { side: [this.fresh('s')] }),
      },
      every: this.under(4) ? undefined : this.pick(['day', 'week', 'month'] as const),
      items: Array.from({ length: 1 + this.under(3) }, () => this.item()),
    };
    this.shop.plans.push(plan);
    return plan;
  }

  /** Each makes one edit, or none where it cannot be made. */
  private edits(): Record<string, () => unknown> {
    const { products, concepts, plans } = this.shop;
    return {
      ...this.namings('product', products, () => this.addProduct()),
      ...this.namings('concept', concepts, () => this.addConcept()),
      ...this.namings('plan', plans, () => this.addPlan()),
      ...this.productEdits(),
      ...this.planEdits(),
      ...this.itemEdits(),
      revert: () => (this.shop = structuredClone(this.pick(this.past))),
    };
  }

  /** What can become of the names of a kind. */
  private namings(kind: string, all: { key: string }[], add: () => { key: string }) {
    const one = this.pick(all);
    const other = this.pick(all);
    const fresh = () => this.fresh(kind === 'plan' ? 'q' : kind.slice(0, 1));
    return {
      [`${kind} key`]: () => (one.key = fresh()),
      [`${kind} swap`]: () => ([one.key, other.key] = [other.key, one.key]),
      [`${kind} chain`]: () => {
        const keys = all.map(({ key }) => key);
        const last = this.under(2) ? fresh() : keys[0];
        all.forEach((each, index) => (each.key = keys[index + 1] ?? last ?? ''));
      },
      [`${kind} given on`]: () => {
        const { key } = one;
        one.key = fresh();
        add().key = key;
      },
      [`${kind} added`]: add,
    };
  }

  private productEdits(): Record<string, () => unknown> {
    const { products, concepts } = this.shop;
    const [product, other, concept] = [this.pick(products), this.pick(products), this.pick(concepts)];
    const photo = () => this.fresh('photo');
    return {
      'product text': () => (product.description = this.fresh('about ')),
      'product name': () => (product.name = this.fresh('Name ')),
      'product photo': () => (product.photos = [photo(), ...product.photos.slice(1)]),
      'product more photos': () => product.photos.push(photo()),
      'product other photos': () => (product.photos = [photo()]),
      'product renamed and edited': () =>
        Object.assign(product, { key: this.fresh('p'), photos: [...product.photos, photo()] }),
      'product stated': () => {
        const from = `product/${product.key}`;
        Object.assign(product, { key: this.fresh('p'), photos: [photo()] });
        this.moved.push({ from, to: `product/${product.key}` });
      },
      'products exchange photos': () => ([product.photos, other.photos] = [other.photos, product.photos]),
      'product copied': () => products.push({ ...structuredClone(product), key: this.fresh('p') }),
      'product removed': () => products.length > 2 && this.remove(product),
      'concept text': () => (concept.description = this.fresh('light ')),
      'concept refs': () => (concept.refs = [this.fresh('ref')]),
      'concept renamed and edited': () =>
        Object.assign(concept, { key: this.fresh('c'), description: this.fresh('light ') }),
    };
  }

  private planEdits(): Record<string, () => unknown> {
    const { plans, products, concepts } = this.shop;
    const plan = this.pick(plans);
    const { matrix } = plan;
    const list = this.pick([[], ...Object.values(matrix)]);
    const ratio = this.pick(RATIOS);
    return {
      'plan removed': () => plans.length > 1 && plans.splice(plans.indexOf(plan), 1),
      'plan concept': () => (plan.concept = this.pick(concepts)),
      every: () => (plan.every = this.pick([undefined, 'day', 'week', 'month'] as const)),
      'matrix side': () => (matrix.side ? delete matrix.side : (matrix.side = [this.fresh('s')])),
      'matrix ratio more': () => !matrix.ratio?.includes(ratio) && matrix.ratio?.push(ratio),
      'matrix ratio': () => !matrix.ratio?.includes(ratio) && matrix.ratio?.splice(0, 1, ratio),
      'matrix less': () => Array.isArray(list) && list.length > 1 && list.shift(),
      'matrix products': () =>
        matrix.product && (matrix.product = matrix.product === '*' ? [...products] : '*'),
      'matrix concepts': () => (matrix.concept = concepts.filter((_, index) => !index || this.under(2))),
    };
  }

  private itemEdits(): Record<string, () => unknown> {
    const { plans, products } = this.shop;
    const { items } = this.pick(plans);
    const [item, other, target] = [this.pick(items), this.pick(items), this.pick(plans).items];
    return {
      'item text': () => (item.text = this.fresh('text ')),
      'item ratio': () => (item.ratio = this.pick(RATIOS)),
      'item products': () => (item.products = [this.pick(products)]),
      'item key': () => (item.key = this.fresh('k')),
      'item unkeyed': () => void (item.key = undefined),
      'items swapped': () => ([item.key, other.key] = [other.key, item.key]),
      'item given on': () => {
        if (item.key === undefined) return;
        items.push({ ...this.item(), key: item.key });
        item.key = this.fresh('k');
      },
      'item added': () => items.splice(this.under(items.length + 1), 0, this.item()),
      'item copied': () => items.push({ ...item, key: undefined }),
      'item removed': () => items.length > 1 && items.splice(items.indexOf(item), 1),
      'item moved': () => items.length > 1 && target.push(...items.splice(items.indexOf(item), 1)),
      'item order': () => items.reverse(),
    };
  }

  private remove(product: Product): void {
    const others = (list: readonly Product[]) => list.filter((each) => each !== product);
    this.shop.products = others(this.shop.products);
    for (const { matrix, items } of this.shop.plans) {
      if (Array.isArray(matrix.product)) matrix.product = others(matrix.product);
      for (const item of items) item.products = others(item.products);
    }
  }

  words(): CampaignWords {
    const { products, concepts } = this.shop;
    return {
      products: Object.fromEntries(
        products.map(({ key, name, photos, description }) => [
          key,
          { photos, description, ...(name === undefined ? { defaultName: key } : { name }) },
        ]),
      ),
      concepts: Object.fromEntries(concepts.map(({ key, ...concept }) => [key, concept])),
      posts: Object.fromEntries(this.shop.plans.flatMap((plan) => this.postsOf(plan))),
      moved: this.moved.filter(({ to }) => products.some(({ key }) => to === `product/${key}`)),
    };
  }

  private postsOf({ key, concept, matrix, every, items }: PostPlan): [string, PostWords][] {
    const { products } = this.shop;
    const shown = matrix.product === '*' ? products : matrix.product;
    const period: Period | undefined =
      every && periodOf(every, new Date(this.day).toISOString().slice(0, 10));
    return (matrix.concept ?? [undefined]).flatMap((inMatrix) =>
      (shown ?? [undefined]).flatMap((product) =>
        (matrix.ratio ?? [undefined]).flatMap((ratio) =>
          (matrix.side ?? [undefined]).map((side): [string, PostWords] => {
            const parts = [inMatrix?.key, product?.key, ratio?.replace(':', 'x'), side];
            const instance = parts.filter((part) => part !== undefined).join('+');
            return [
              instance ? `${key}/${instance}` : key,
              {
                concept: (inMatrix ?? concept).key,
                ...(period && { period }),
                items: items.map((item) => wordsOf(item, product, ratio)),
              },
            ];
          }),
        ),
      ),
    );
  }
}

function wordsOf(item: Item, product: Product | undefined, ratio: string | undefined): ItemWords {
  const shown = product ? [product] : item.products;
  return {
    ...(item.key === undefined ? {} : { key: item.key }),
    products: shown.map(({ key }) => key),
    ratio: ratio ?? item.ratio,
    descriptions: [item.text],
  };
}

/** `isLetGo`: whether an apply has ended well without it. */
type Sku = { readonly key: string; readonly description: string; readonly isLetGo?: boolean };

/** Nights of a feed: products leave and come, two posts of each; nobody edits what is there. */
export class Feed {
  readonly random: () => number;
  private products: Sku[] = [];
  private gone: Sku[] = [];
  private count = 0;

  constructor(seed: string) {
    this.random = seededRandom(seed);
    for (let n = 0; n < 4 + this.under(3); n += 1) this.come();
  }

  under(n: number): number {
    return Math.floor(this.random() * n);
  }

  private come(): void {
    this.count += 1;
    this.products.push({ key: `sku-${this.count}`, description: `about ${this.count}` });
  }

  turnOver(): void {
    for (let n = this.under(4); n > 0 && this.products.length > 3; n -= 1)
      this.gone.push(...this.products.splice(this.under(this.products.length), 1));
    for (let n = this.under(4); n > 0; n -= 1) this.come();
    const [back] = this.under(3) ? [] : this.gone.splice(this.under(this.gone.length), 1);
    if (!back) return;
    const isEdited = back.isLetGo && this.under(2);
    this.products.push({ key: back.key, description: `${back.description}${isEdited ? ' again' : ''}` });
  }

  /** An apply has ended well. */
  end(): void {
    this.gone = this.gone.map((sku) => ({ ...sku, isLetGo: true }));
  }

  words(): CampaignWords {
    const products = this.products.map(({ key, description }) => [
      key,
      { photos: [key, 'chart'], description },
    ]);
    return gridOf(Object.fromEntries(products), {}, { key: 'story', ratio: '9:16' });
  }
}
