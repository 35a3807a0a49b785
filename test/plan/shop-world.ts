/** A shop's campaign, edited night by night, and which of its posts is which, whatever it is called. */
import { type Every, type Period, periodOf } from '../../src/model/period.ts';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { CampaignWords, ConceptWords, ItemWords, PostWords, ProductWords } from '../support/campaign.ts';

interface Product {
  readonly id: string;
  key: string;
  /** Of a row of a table; a folder has its own name, which follows it. */
  name: string | undefined;
  photos: string[];
  description: string;
  /** A column that only texts show. */
  colour: string;
}

interface Concept {
  readonly id: string;
  key: string;
  description: string;
}

interface Item {
  readonly id: string;
  key: string | undefined;
  text: string;
  /** What the text says of its product. */
  says: 'nothing' | 'name' | 'colour';
  ratio: string;
  type: 'image' | 'video' | 'carousel';
  /** Ids of what it shows where its post plan has no matrix over products. */
  products: string[];
}

interface PostPlan {
  readonly id: string;
  key: string;
  /** Where the matrix has no concepts. */
  concept: string;
  matrix: {
    concept?: string[];
    /** `*` for all. */
    product?: '*' | string[];
    ratio?: string[];
    side?: string[];
  };
  /** Combinations that are taken out, by the ids of their values. */
  exclude: string[];
  every: Every | undefined;
  /** How many periods have begun. */
  set: number;
  items: Item[];
}

interface Shop {
  products: Product[];
  concepts: Concept[];
  plans: PostPlan[];
}

/** One post that is wanted. */
export interface WantedPost {
  /** Stays the same through every edit. */
  readonly id: string;
  readonly period: string | undefined;
  readonly photos: string;
}

const DAY = 86_400_000;
const RATIOS = ['1:1', '4:5', '9:16', '16:9'];

export class ShopWorld {
  private readonly random: () => number;
  private shop: Shop = { products: [], concepts: [], plans: [] };
  private readonly past: Shop[] = [];
  day = Date.parse('2026-11-16');
  private count = 0;

  constructor(seed: string) {
    this.random = seededRandom(seed);
    for (let n = 0; n < 2 + this.under(3); n += 1) this.addProduct();
    for (let n = 0; n < 2 + this.under(2); n += 1) this.addConcept();
    for (let n = 0; n < 1 + this.under(3); n += 1) this.shop.plans.push(this.plan());
  }

  under(n: number): number {
    return Math.floor(this.random() * n);
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.under(list.length)] as T;
  }

  private other<T>(list: readonly T[], than: T): T | undefined {
    const rest = list.filter((each) => each !== than);
    return rest.length ? this.pick(rest) : undefined;
  }

  private fresh(letter: string): string {
    this.count += 1;
    return `${letter}${this.count}`;
  }

  /** One to three edits; their names, for who has to understand what went wrong. */
  editSome(): string {
    this.past.push(structuredClone(this.shop));
    return Array.from({ length: 1 + this.under(3) }, () => this.edit())
      .filter(Boolean)
      .join(', ');
  }

  private addProduct(): Product {
    const { products } = this.shop;
    const product = {
      id: this.fresh('P'),
      key: this.fresh('p'),
      name: this.under(2) ? this.fresh('Name ') : undefined,
      // Sizes of one shirt have one photo.
      photos: products.length && !this.under(5) ? [...this.pick(products).photos] : [this.fresh('photo')],
      description: this.fresh('about '),
      colour: this.fresh('colour '),
    };
    products.splice(this.under(products.length + 1), 0, product);
    return product;
  }

  private addConcept(): Concept {
    const concept = { id: this.fresh('C'), key: this.fresh('c'), description: this.fresh('light ') };
    this.shop.concepts.push(concept);
    return concept;
  }

  private item(): Item {
    const { products } = this.shop;
    const first = this.pick(products).id;
    const second = this.pick(products).id;
    return {
      id: this.fresh('I'),
      key: this.under(2) ? this.fresh('k') : undefined,
      text: this.fresh('text '),
      says: this.pick(['nothing', 'nothing', 'name', 'colour'] as const),
      ratio: this.pick(RATIOS),
      type: this.under(4) ? 'image' : this.pick(['video', 'carousel'] as const),
      products: this.under(4) || first === second ? [first] : [first, second],
    };
  }

  private plan(): PostPlan {
    const { concepts, products } = this.shop;
    const some = <T>(list: readonly T[]) => list.filter((_, index) => index === 0 || this.under(3) > 0);
    return {
      id: this.fresh('Q'),
      key: this.fresh('q'),
      concept: this.pick(concepts).id,
      matrix: {
        ...(!this.under(3) && { concept: some(concepts).map(({ id }) => id) }),
        ...(this.under(5) > 1 && {
          product: this.under(2) ? ('*' as const) : some(products).map(({ id }) => id),
        }),
        ...(!this.under(4) && { ratio: RATIOS.slice(0, 1 + this.under(2)) }),
        ...(!this.under(6) && { side: [this.fresh('s')] }),
      },
      exclude: [],
      every: this.under(4) ? undefined : this.pick(['day', 'week', 'month'] as const),
      set: 0,
      items: Array.from({ length: 1 + this.under(3) }, () => this.item()),
    };
  }

  private edit(): string {
    const edits = this.edits();
    const name = this.pick(Object.keys(edits));
    const what = edits[name]?.();
    return what === undefined ? '' : `${name} ${what}`;
  }

  private edits(): Record<string, () => string | undefined> {
    const { shop } = this;
    const product = this.pick(shop.products);
    const plan = this.pick(shop.plans);
    const item = this.pick(plan.items);
    const concept = this.pick(shop.concepts);
    const swap = <Key>(a: { key: Key }, b: { key: Key } | undefined) => {
      if (!b) return undefined;
      [a.key, b.key] = [b.key, a.key];
      return JSON.stringify([a.key, b.key]);
    };
    const chain = (all: { key: string }[], letter: string) => {
      const keys = all.map(({ key }) => key);
      const last = this.under(2) ? this.fresh(letter) : (keys[0] ?? '');
      all.forEach((each, index) => (each.key = keys[index + 1] ?? last));
      return keys.join();
    };
    const toggled = (list: string[], id: string) =>
      list.includes(id) ? list.filter((each) => each !== id) : [...list, id];
    const lists = (['concept', 'ratio', 'side', 'product'] as const).filter((name) =>
      Array.isArray(plan.matrix[name]),
    );
    const dimension = lists.length ? this.pick(lists) : undefined;
    return {
      productKey: () => (product.key = this.fresh('p')),
      productText: () => (product.description = this.fresh('about ')),
      productColour: () => (product.colour = this.fresh('colour ')),
      productName: () => (product.name = this.fresh('Name ')),
      productPhoto: () => {
        product.photos = [this.fresh('photo'), ...product.photos.slice(1)];
        return product.key;
      },
      morePhotos: () => {
        product.photos = [...product.photos, this.fresh('photo')];
        return product.key;
      },
      exchangePhotos: () => {
        const other = this.other(shop.products, product);
        if (!other) return undefined;
        [product.photos, other.photos] = [other.photos, product.photos];
        return `${product.key} ${other.key}`;
      },
      swapProducts: () => swap(product, this.other(shop.products, product)),
      chainProducts: () => chain(shop.products, 'p'),
      giveOnProduct: () => {
        const { key } = product;
        product.key = this.fresh('p');
        return (this.addProduct().key = key);
      },
      addProduct: () => this.addProduct().key,
      removeProduct: () => this.removeProduct(product),
      conceptKey: () => (concept.key = this.fresh('c')),
      conceptText: () => (concept.description = this.fresh('light ')),
      swapConcepts: () => swap(concept, this.other(shop.concepts, concept)),
      chainConcepts: () => chain(shop.concepts, 'c'),
      giveOnConcept: () => {
        const { key } = concept;
        concept.key = this.fresh('c');
        return (this.addConcept().key = key);
      },
      addConcept: () => this.addConcept().key,
      planKey: () => (plan.key = this.fresh('q')),
      swapPlans: () => swap(plan, this.other(shop.plans, plan)),
      chainPlans: () => chain(shop.plans, 'q'),
      giveOnPlan: () => {
        const added = this.plan();
        added.key = plan.key;
        shop.plans.push(added);
        return (plan.key = this.fresh('q'));
      },
      planConcept: () => {
        if (plan.matrix.concept) return undefined;
        plan.concept = concept.id;
        return `${plan.key} ${concept.key}`;
      },
      addPlan: () => {
        const added = this.plan();
        shop.plans.push(added);
        return added.key;
      },
      removePlan: () => {
        if (shop.plans.length < 2) return undefined;
        shop.plans = shop.plans.filter((each) => each !== plan);
        return plan.key;
      },
      every: () => {
        plan.every = this.pick([undefined, 'day', 'week', 'month'] as const);
        return `${plan.key} ${plan.every}`;
      },
      dropFirstValue: () => {
        const list = dimension && plan.matrix[dimension];
        if (!Array.isArray(list) || list.length < 2) return undefined;
        return `${plan.key} ${list.shift()}`;
      },
      addValueBefore: () => {
        const list = dimension && plan.matrix[dimension];
        if (!Array.isArray(list)) return undefined;
        const others = {
          concept: shop.concepts.map(({ id }) => id),
          product: shop.products.map(({ id }) => id),
          ratio: RATIOS,
          side: [this.fresh('s')],
        }[dimension as 'ratio'].filter((value) => !list.includes(value));
        if (!others.length) return undefined;
        list.unshift(this.pick(others));
        return `${plan.key} ${list[0]}`;
      },
      replaceValue: () => {
        const list = dimension && plan.matrix[dimension];
        if (!Array.isArray(list) || dimension === 'product' || dimension === 'concept') return undefined;
        const at = this.under(list.length);
        const now = dimension === 'side' ? this.fresh('s') : this.pick(RATIOS);
        if (list.includes(now)) return undefined;
        list[at] = now;
        return `${plan.key} ${now}`;
      },
      side: () => {
        if (plan.matrix.side) delete plan.matrix.side;
        else plan.matrix.side = [this.fresh('s')];
        return plan.key;
      },
      starOff: () => {
        if (plan.matrix.product === undefined) return undefined;
        plan.matrix.product = plan.matrix.product === '*' ? shop.products.map(({ id }) => id) : '*';
        return plan.key;
      },
      exclude: () => {
        const combination = this.pick(this.combinationsOf(plan)).id;
        if (this.combinationsOf(plan).length > 1) plan.exclude = toggled(plan.exclude, combination);
        return `${plan.key} ${combination}`;
      },
      excludeNoMore: () => {
        plan.exclude = [];
        return plan.key;
      },
      moveProduct: () => {
        const to = this.other(shop.plans, plan);
        const list = plan.matrix.product;
        if (!to || !Array.isArray(list) || !Array.isArray(to.matrix.product) || list.length < 2)
          return undefined;
        const moved = list.pop() ?? '';
        if (!to.matrix.product.includes(moved)) to.matrix.product.push(moved);
        return `${plan.key} ${moved} ${to.key}`;
      },
      moveItem: () => {
        const to = this.other(shop.plans, plan);
        if (!to || plan.items.length < 2) return undefined;
        plan.items = plan.items.filter((each) => each !== item);
        to.items.push(item);
        return `${item.id} ${to.key}`;
      },
      itemText: () => (item.text = this.fresh('text ')),
      itemSays: () => (item.says = this.pick(['nothing', 'name', 'colour'] as const)),
      itemRatio: () => (item.ratio = this.pick(RATIOS)),
      itemProducts: () => (item.products = [product.id]).join(),
      itemKey: () => (item.key = this.fresh('k')),
      itemUnkey: () => {
        item.key = undefined;
        return item.id;
      },
      swapItems: () => swap(item, this.other(plan.items, item)),
      giveOnItem: () => {
        if (item.key === undefined) return undefined;
        plan.items.push({ ...this.item(), key: item.key });
        return (item.key = this.fresh('k'));
      },
      addItem: () => {
        const added = this.item();
        plan.items.splice(this.under(plan.items.length + 1), 0, added);
        return added.id;
      },
      removeItem: () => {
        if (plan.items.length < 2) return undefined;
        plan.items = plan.items.filter((each) => each !== item);
        return item.id;
      },
      order: () => {
        plan.items.reverse();
        return plan.key;
      },
      revert: () => {
        const before = this.past.at(-1 - this.under(3));
        if (!before) return undefined;
        const sets = new Map(this.shop.plans.map(({ id, set }) => [id, set]));
        this.shop = structuredClone(before);
        for (const each of this.shop.plans) each.set = Math.max(each.set, sets.get(each.id) ?? 0);
        return 'to an earlier one';
      },
    };
  }

  private removeProduct(product: Product): string | undefined {
    const { shop } = this;
    if (shop.products.length < 3) return undefined;
    for (const plan of shop.plans) {
      const list = plan.matrix.product;
      const rest = Array.isArray(list) ? list.filter((id) => id !== product.id) : [];
      if (Array.isArray(list) && !rest.length) return undefined;
    }
    for (const plan of shop.plans) {
      if (Array.isArray(plan.matrix.product))
        plan.matrix.product = plan.matrix.product.filter((id) => id !== product.id);
      for (const item of plan.items) {
        item.products = item.products.filter((id) => id !== product.id);
        if (!item.products.length) item.products = [this.other(shop.products, product)?.id ?? ''];
      }
    }
    shop.products = shop.products.filter((each) => each !== product);
    return product.key;
  }

  /** Time goes on; only between edits. */
  goOn(days: number): void {
    const before = this.shop.plans.map((plan) => this.periodOf(plan)?.name);
    this.day += days * DAY;
    this.shop.plans.forEach((plan, index) => {
      if (this.periodOf(plan)?.name !== before[index]) plan.set += 1;
    });
  }

  today(): string {
    return new Date(this.day).toISOString().slice(0, 'yyyy-mm-dd'.length);
  }

  private periodOf({ every }: PostPlan): Period | undefined {
    return every && periodOf(every, this.today());
  }

  private combinationsOf({ matrix, concept }: PostPlan) {
    const { shop } = this;
    const conceptOf = (id: string) => shop.concepts.find((each) => each.id === id) ?? shop.concepts[0];
    const productOf = (id: string) => shop.products.find((each) => each.id === id);
    const productIds = matrix.product === '*' ? shop.products.map(({ id }) => id) : matrix.product;
    return (matrix.concept ?? [undefined]).flatMap((inMatrix) =>
      (productIds?.flatMap((id) => productOf(id) ?? []) ?? [undefined]).flatMap((product) =>
        (matrix.ratio ?? [undefined]).flatMap((ratio) =>
          (matrix.side ?? [undefined]).flatMap((side) => {
            const shown = conceptOf(inMatrix ?? concept);
            if (!shown) return [];
            const keys = [inMatrix && shown.key, product?.key, ratio?.replace(':', 'x'), side];
            return {
              // A value that stands for no more than a name may be put in or taken out.
              id: [
                inMatrix ?? '',
                product?.id ?? '',
                matrix.ratio && matrix.ratio.length > 1 ? ratio : '',
              ].join(' '),
              instance: keys.filter((key) => key !== undefined).join('+'),
              concept: shown,
              product,
              ratio,
              side: matrix.side && matrix.side.length > 1 ? side : '',
            };
          }),
        ),
      ),
    );
  }

  words(): { readonly words: CampaignWords; readonly wanted: readonly (readonly WantedPost[])[] } {
    const { shop } = this;
    const posts: [string, PostWords][] = [];
    const wanted: WantedPost[][] = [];
    for (const plan of shop.plans) {
      const period = this.periodOf(plan);
      for (const combination of this.combinationsOf(plan)) {
        if (plan.exclude.includes(combination.id)) continue;
        const { instance, concept, product, ratio } = combination;
        const shown = plan.items.map((item) => this.shownBy(item, { product, ratio }));
        posts.push([
          instance ? `${plan.key}/${instance}` : plan.key,
          { concept: concept.key, ...(period && { period }), items: shown.map(({ words }) => words) },
        ]);
        wanted.push(
          plan.items.map(({ id }, at) => ({
            id: [id, combination.id, combination.side, plan.set].join(' '),
            period: period?.name,
            photos: shown[at]?.photos ?? '',
          })),
        );
      }
    }
    const products = shop.products.map(({ key, name, photos, description }): [string, ProductWords] => [
      key,
      { photos, description, ...(name === undefined ? { defaultName: key } : { name }) },
    ]);
    const concepts = shop.concepts.map(({ key, description }): [string, ConceptWords] => [
      key,
      { description },
    ]);
    return {
      words: {
        products: Object.fromEntries(products),
        concepts: Object.fromEntries(concepts),
        posts: Object.fromEntries(posts),
      },
      wanted,
    };
  }

  private shownBy(
    item: Item,
    of: { readonly product: Product | undefined; readonly ratio: string | undefined },
  ): { readonly words: ItemWords; readonly photos: string } {
    const { shop } = this;
    const ids = item.products.flatMap((id) => shop.products.find((each) => each.id === id) ?? []);
    const shown = of.product ? [of.product] : ids.length ? ids : [shop.products[0] as Product];
    const [first = shop.products[0] as Product] = shown;
    const said = { nothing: '', name: ` ${first.name ?? first.key}`, colour: ` ${first.colour}` }[item.says];
    const ratio = of.ratio ?? item.ratio;
    const text = item.text + said;
    return {
      words: {
        ...(item.key === undefined ? {} : { key: item.key }),
        type: item.type,
        products: shown.map(({ key }) => key),
        ratio,
        descriptions: [text],
      },
      photos: shown.map(({ photos }) => photos.join()).join(),
    };
  }
}
