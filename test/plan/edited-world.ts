/** A campaign that is edited at random, and which of its posts is which, whatever it is called. */
import { type Every, periodOf } from '../../src/model/period.ts';
import { seededRandom } from '../../src/emulator/pictures/seeded.ts';
import type { CampaignWords, ItemWords, PostWords, ProductWords } from '../support/campaign.ts';

interface Product {
  readonly id: string;
  key: string;
  name: string | undefined;
  photos: readonly string[];
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
  ratio: string;
  /** The product that it shows, where its post plan has no matrix over products. */
  product: Product;
}

interface PostPlan {
  readonly id: string;
  key: string;
  concept: Concept;
  /** `*` in the matrix. */
  readonly all: boolean;
  /** Another dimension of the matrix, of one value. */
  side: string | undefined;
  /** A matrix over formats. */
  readonly ratios: string[];
  every: Every | undefined;
  /** How many periods have begun. */
  set: number;
  items: Item[];
}

const DAY = 86_400_000;

export class EditedWorld {
  private readonly random: () => number;
  private readonly products: Product[] = [];
  private readonly concepts: Concept[] = [];
  private plans: PostPlan[] = [];
  day = Date.parse('2026-11-16');
  private count = 0;
  /** Whether the edits since the last plan only added something, whatever was taken away before. */
  isGrowing = true;
  /** What nothing shows to be the same after the edits since the last plan. */
  readonly lost = new Set<string>();
  private readonly newKeys = new Set<Product>();
  private readonly newPhotos = new Set<Product>();

  constructor(seed: string) {
    this.random = seededRandom(seed);
    for (let n = 0; n < 2 + this.under(3); n += 1) this.addProduct();
    for (let n = 0; n < 2; n += 1) this.addConcept();
    for (let n = 0; n < 1 + this.under(3); n += 1) this.addPlan();
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

  /** Makes up to three edits in one; their names, for who has to understand what went wrong. */
  editSome(): string {
    this.isGrowing = true;
    this.lost.clear();
    this.newKeys.clear();
    this.newPhotos.clear();
    return Array.from({ length: 1 + this.under(3) }, () => this.edit()).join(', ');
  }

  private addProduct(): Product {
    const product = {
      id: this.fresh('P'),
      key: this.fresh('p'),
      name: this.under(2) ? this.fresh('Name ') : undefined,
      // Sizes of one shirt have one photo.
      photos:
        this.products.length && !this.under(4) ? this.pick(this.products).photos : [this.fresh('photo')],
      description: this.fresh('about '),
      colour: this.fresh('colour '),
    };
    this.products.splice(this.under(this.products.length + 1), 0, product);
    return product;
  }

  private addConcept(): void {
    this.concepts.push({ id: this.fresh('C'), key: this.fresh('c'), description: this.fresh('light ') });
  }

  private item(): Item {
    return {
      id: this.fresh('I'),
      key: this.under(2) ? this.fresh('k') : undefined,
      text: this.fresh('text '),
      ratio: this.pick(['1:1', '4:5', '9:16']),
      product: this.pick(this.products),
    };
  }

  private addPlan(): void {
    const all = this.under(2) > 0;
    this.plans.push({
      id: this.fresh('Q'),
      key: this.fresh('q'),
      concept: this.pick(this.concepts),
      all,
      side: undefined,
      ratios: all && !this.under(3) ? ['1:1'] : [],
      every: this.under(4) ? undefined : this.pick(['day', 'week', 'month'] as const),
      set: 0,
      items: Array.from({ length: 1 + this.under(3) }, () => this.item()),
    });
  }

  private edit(): string {
    const edits = this.edits();
    const name = this.pick(Object.keys(edits));
    const what = edits[name]?.();
    if (what === undefined) return '';
    if (!name.startsWith('add')) this.isGrowing = false;
    return `${name} ${what}`;
  }

  private edits(): Record<string, () => string | undefined> {
    const product = this.pick(this.products);
    const plan = this.pick(this.plans);
    const item = this.pick(plan.items);
    const concept = this.pick(this.concepts);
    return {
      productKey: () => this.rekey(product, this.fresh('p')),
      productText: () => (product.description = this.fresh('about ')),
      productColour: () => (product.colour = this.fresh('colour ')),
      productName: () => (product.name = this.fresh('Name ')),
      productPhoto: () => {
        this.newPhotos.add(product);
        product.photos = [this.fresh('photo'), ...product.photos.slice(1)];
        return product.key;
      },
      morePhotos: () => {
        product.photos = [...product.photos, this.fresh('photo')];
        return product.key;
      },
      swapProducts: () => {
        const other = this.other(this.products, product);
        if (!other) return undefined;
        const { key } = product;
        this.rekey(product, other.key);
        return this.rekey(other, key);
      },
      giveOnProduct: () => {
        const { key } = product;
        this.rekey(product, this.fresh('p'));
        return this.rekey(this.addProduct(), key);
      },
      chainProducts: () => {
        const keys = this.products.map((each) => each.key);
        this.products.forEach((each, index) => this.rekey(each, keys[index + 1] ?? this.fresh('p')));
        return keys.join();
      },
      addProduct: () => this.addProduct().key,
      removeProduct: () => {
        const isShown = this.plans.some(
          ({ all, items }) => !all && items.some((each) => each.product === product),
        );
        if (isShown || this.products.length < 2) return undefined;
        this.products.splice(this.products.indexOf(product), 1);
        return product.key;
      },
      conceptKey: () => (concept.key = this.fresh('c')),
      conceptText: () => (concept.description = this.fresh('light ')),
      planKey: () => (plan.key = this.fresh('q')),
      planConcept: () => (plan.concept = concept).key,
      planSide: () => (plan.side = plan.side === undefined ? this.fresh('s') : undefined) ?? 'none',
      every: () => {
        plan.every = this.pick([undefined, 'day', 'week', 'month'] as const);
        return `${plan.key} ${plan.every}`;
      },
      addPlan: () => {
        this.addPlan();
        return 'a plan';
      },
      removePlan: () => {
        if (this.plans.length < 2) return undefined;
        this.plans = this.plans.filter((each) => each !== plan);
        return plan.key;
      },
      addRatio: () => {
        if (!plan.ratios.length || plan.ratios.length > 2) return undefined;
        plan.ratios.push(['1:1', '4:5', '9:16'][plan.ratios.length] ?? '');
        return plan.key;
      },
      removeRatio: () => (plan.ratios.length > 1 ? plan.ratios.pop() : undefined),
      itemText: () => (item.text = this.fresh('text ')),
      itemRatio: () => (item.ratio = this.pick(['1:1', '4:5', '9:16'])),
      itemKey: () => (item.key = this.fresh('k')),
      itemUnkey: () => {
        item.key = undefined;
        return item.id;
      },
      swapItems: () => {
        const other = this.other(plan.items, item);
        if (other) [item.key, other.key] = [other.key, item.key];
        return other?.id;
      },
      giveOnItem: () => {
        if (item.key === undefined) return undefined;
        plan.items.push({ ...this.item(), key: item.key });
        return (item.key = this.fresh('k'));
      },
      addItem: () => {
        const added = this.item();
        plan.items.push(added);
        return added.id;
      },
      addItemBefore: () => {
        const added = this.item();
        plan.items.unshift(added);
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
    };
  }

  private rekey(product: Product, key: string): string {
    this.newKeys.add(product);
    return (product.key = key);
  }

  /** Time goes on; only between edits. */
  goOn(days: number): void {
    const before = this.plans.map((plan) => this.periodOf(plan)?.name);
    this.day += days * DAY;
    this.plans.forEach((plan, index) => {
      if (this.periodOf(plan)?.name !== before[index]) plan.set += 1;
    });
  }

  private periodOf({ every }: PostPlan) {
    return every && periodOf(every, new Date(this.day).toISOString().slice(0, 10));
  }

  /** Products with another key and other photos are other products, unless somebody wrote their name. */
  private isOther(product: Product): boolean {
    return this.newKeys.has(product) && this.newPhotos.has(product);
  }

  words(): { readonly words: CampaignWords; readonly wanted: readonly (readonly string[])[] } {
    const posts: [string, PostWords][] = [];
    const wanted: string[][] = [];
    for (const plan of this.plans)
      for (const product of plan.all ? this.products : [undefined])
        for (const ratio of plan.ratios.length ? plan.ratios : [undefined]) {
          const parts = [plan.side, product?.key, ratio?.replace(':', 'x')].filter(
            (part) => part !== undefined,
          );
          const period = this.periodOf(plan);
          const path = parts.length ? `${plan.key}/${parts.join('+')}` : plan.key;
          posts.push([
            path,
            {
              concept: plan.concept.key,
              ...(period && { period }),
              items: plan.items.map((item) => this.itemWords(item, { product, ratio })),
            },
          ]);
          wanted.push(
            plan.items.map((item) => {
              const id = [plan.id, item.id, product?.id ?? '', ratio ?? '', plan.set].join(' ');
              if (this.isOther(product ?? item.product)) this.lost.add(id);
              return id;
            }),
          );
        }
    const products = this.products.map(({ key, name, photos, description }): [string, ProductWords] => [
      key,
      { photos, description, ...(name === undefined ? {} : { name }) },
    ]);
    const concepts = this.concepts.map(({ key, description }) => [key, { description }] as const);
    return {
      words: {
        products: Object.fromEntries(products),
        concepts: Object.fromEntries(concepts),
        posts: Object.fromEntries(posts),
      },
      wanted,
    };
  }

  private itemWords(
    { key, text, ratio, product }: Item,
    of: { product: Product | undefined; ratio: string | undefined },
  ): ItemWords {
    const shown = of.product ?? product;
    return {
      ...(key === undefined ? {} : { key }),
      products: [shown.key],
      ratio: of.ratio ?? ratio,
      descriptions: [`${text} in ${shown.colour}`],
    };
  }
}
