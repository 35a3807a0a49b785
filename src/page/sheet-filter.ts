/** Which posts the contact sheet shows, and under which headings. */
import { formatOf } from '../views/coverage-table.ts';
import { groupBy } from '../util/group-by.ts';
import type { ReportData, SheetPost } from '../views/report-data.ts';
import { type Decisions, type Judged, judgedAs, noteOn } from './decide.ts';
import { STATUS_LOOKS, STATUS_ORDER } from '../views/status-looks.ts';
import { JUDGED_WORDS } from './words.ts';

/** What posts can be filtered and grouped by. */
export const FACETS = ['plan', 'product', 'concept', 'format', 'status', 'decision'] as const;
export type Facet = (typeof FACETS)[number];

export const FACET_TITLES: Readonly<Record<Facet, string>> = {
  plan: 'Post plan',
  product: 'Product',
  concept: 'Concept',
  format: 'Format',
  status: 'Status',
  decision: 'Decision',
};

/** In each facet any of the values; none is all. Values are keys, not what people read (`facetWords`). */
export interface SheetFilter {
  readonly words: string;
  readonly facets: Readonly<Partial<Record<Facet, readonly string[]>>>;
  /** Also those that the manifest does not ask for now: of past periods, surplus ones, and what it no longer names. */
  readonly others?: true;
  /** Only these posts, by their addresses; `words` say what they have in common. */
  readonly only?: { readonly addresses: readonly string[]; readonly words: string };
}

export const NO_FILTER: SheetFilter = { words: '', facets: {} };

/** What is grouped, filtered and searched: a report's posts together with what was decided on the page. */
export interface Judging {
  readonly data: ReportData;
  readonly decisions: Pick<Decisions, 'all' | 'drafts'>;
}

/** For a post that cannot be judged, and for one without a product or a concept of this campaign. */
export const NONE = '';

export function facetOf(post: SheetPost, facet: Facet, decisions: Pick<Decisions, 'all'>): string {
  if (facet === 'format') return formatOf(post);
  if (facet === 'decision') return judgedAs(post, decisions) ?? NONE;
  return post[facet] ?? NONE;
}

/** A value of a facet as people read it. */
export function facetWords(value: string, facet: Facet, data: ReportData): string {
  const nameIn = (things: readonly { readonly key: string; readonly name: string }[]) =>
    things.find(({ key }) => key === value)?.name ?? value;
  switch (facet) {
    case 'plan':
    case 'format':
      return value;
    case 'product':
      return value === NONE ? 'No product of this campaign' : nameIn(data.products);
    case 'concept':
      return value === NONE ? 'No concept of this campaign' : nameIn(data.concepts);
    case 'status':
      return STATUS_LOOKS[value as SheetPost['status']].words;
    case 'decision':
      return value === NONE ? 'nothing to decide' : JUDGED_WORDS[value as Judged].words;
  }
}

/** What is filtered and counted. Where the manifest asks for no post any more, that is all there are. */
export function postsInScope({ others, only }: SheetFilter, { posts }: ReportData): readonly SheetPost[] {
  if (others || only) return posts;
  const wanted = posts.filter((post) => post.wanted);
  return wanted.length ? wanted : posts;
}

/** The posts that match, in the order of the report. */
export function matchingPosts(filter: SheetFilter, judging: Judging): SheetPost[] {
  const { data, decisions } = judging;
  const chosen = FACETS.flatMap((facet) => {
    const values = filter.facets[facet];
    return values?.length ? [{ facet, values: new Set(values) }] : [];
  });
  const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = searchedText(judging);
  const only = filter.only && new Set(filter.only.addresses);
  return postsInScope(filter, data).filter(
    (post) =>
      (!only || only.has(post.address)) &&
      chosen.every(({ facet, values }) => values.has(facetOf(post, facet, decisions))) &&
      (words.length === 0 || containsAll(textOf(post), words)),
  );
}

function containsAll(text: string, words: readonly string[]): boolean {
  return words.every((word) => text.includes(word));
}

function searchedText({ data, decisions }: Judging): (post: SheetPost) => string {
  const nameOf = (things: readonly { readonly key: string; readonly name: string }[]) => {
    const names = new Map(things.map(({ key, name }) => [key, name]));
    return (key: string | null) => (key === null ? '' : `${key} ${names.get(key) ?? ''}`);
  };
  const [product, concept] = [nameOf(data.products), nameOf(data.concepts)];
  return (post) =>
    [
      post.address,
      post.caption,
      ...post.alsoSays,
      ...[post.product, ...post.alsoShows].map(product),
      concept(post.concept),
      noteOn(post, decisions),
    ]
      .join('\n')
      .toLowerCase();
}

/** Posts under one heading, in the order of the report. */
export interface Section {
  readonly value: string;
  readonly posts: readonly string[];
}

const ORDERS: Partial<Record<Facet, readonly string[]>> = {
  status: STATUS_ORDER,
  decision: [...Object.keys(JUDGED_WORDS), NONE],
};

/** `valueOf`: where a post stands; it stays there until the filter is applied anew. */
export function sectionsOf(
  posts: readonly SheetPost[],
  facet: Facet,
  data: ReportData,
  valueOf: (post: SheetPost) => string,
): Section[] {
  const groups = groupBy(posts, valueOf);
  const order = orderOf(facet, data) ?? [];
  const rank = new Map([...new Set([...order, ...groups.keys()])].map((value, index) => [value, index]));
  return [...groups]
    .sort(([one], [other]) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0))
    .map(([value, group]) => ({ value, posts: group.map(({ address }) => address) }));
}

function orderOf(facet: Facet, { products, concepts }: ReportData): readonly string[] | undefined {
  if (facet === 'product') return products.map(({ key }) => key);
  if (facet === 'concept') return concepts.map(({ key }) => key);
  return ORDERS[facet];
}

/** Whether they differ in it. */
export function isVaried(facet: Facet, posts: readonly SheetPost[], { decisions }: Judging): boolean {
  const [first] = posts;
  const value = first && facetOf(first, facet, decisions);
  return posts.some((post) => facetOf(post, facet, decisions) !== value);
}

/** How many posts there are of each value. */
export function facetCounts(
  facet: Facet,
  posts: readonly SheetPost[],
  { decisions }: Judging,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const post of posts) {
    const value = facetOf(post, facet, decisions);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

export function withFacet(filter: SheetFilter, facet: Facet, values: readonly string[]): SheetFilter {
  const { [facet]: _, ...others } = filter.facets;
  return { ...filter, facets: values.length ? { ...others, [facet]: values } : others };
}
