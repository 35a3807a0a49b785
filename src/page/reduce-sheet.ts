/** The contact sheet: what is framed and selected, which posts are shown. */
import type { ReportData } from '../views/report-data.ts';
import { rebase } from './unwritten.ts';
import { between, type Direction, layGrid, moveInGrid, moveInOrder, nearest } from './grid-rows.ts';
import { applyFilter, type Destination, type PageState, postsByAddress, type Sheet } from './page-state.ts';
import { facetOf, matchingPosts, NO_FILTER, sectionsOf } from './sheet-filter.ts';
import { stepPane } from './reduce-view.ts';

export function move(state: PageState, direction: Direction, isExtending: boolean): PageState {
  const { view, framed, sheet } = state;
  if (view?.kind === 'compare') return stepPane(state, direction);
  if (view) {
    // Up and down are the slides of a carousel there (`keys.ts`).
    const { order } = sheet.grid;
    const step = { left: -1, up: -1, right: 1, down: 1, first: -Infinity, last: Infinity }[direction];
    return frame(state, moveInOrder(order, framed, step) ?? '', 'only');
  }
  const next = moveInGrid(sheet.grid, framed, direction);
  return next === undefined ? state : frame(state, next, isExtending ? 'extend' : 'only');
}

export function frame(state: PageState, post: string, how: 'only' | 'toggle' | 'extend'): PageState {
  const { sheet, selection, framed } = state;
  if (!sheet.grid.places.has(post)) return state;
  const view = state.view?.kind === 'large' && post !== framed ? { ...state.view, ...FRESH } : state.view;
  if (how === 'only')
    return { ...state, framed: post, view, selection: NONE, named: NONE, anchor: undefined };
  if (how === 'toggle') {
    const toggled = new Set(selection.size === 0 && framed !== undefined ? [framed] : selection);
    const named = new Set(state.named);
    if (toggled.delete(post) && selection.size > 0) named.delete(post);
    else {
      toggled.add(post);
      named.add(post);
    }
    return { ...state, framed: post, selection: toggled, named, anchor: post };
  }
  const anchor = state.anchor ?? framed ?? post;
  const extended = new Set(between(sheet.grid.order, anchor, post));
  return { ...state, framed: post, anchor, selection: extended, named: NONE };
}

const NONE: ReadonlySet<string> = new Set();

/** As `frame`, by a click of the person: a post that is clicked alone is chosen by itself. */
export function click(state: PageState, post: string, how: 'only' | 'toggle' | 'extend'): PageState {
  const next = frame(state, post, how);
  return how === 'only' && next !== state ? { ...next, named: new Set([post]) } : next;
}

/** Another picture shows its newest take, and a carousel its first slide. */
const FRESH = { take: undefined, slide: 0 };

export function selectAll(state: PageState): PageState {
  const { order } = state.sheet.grid;
  return { ...state, selection: new Set(order), named: NONE, message: `${order.length} posts are selected.` };
}

export function layColumns(state: PageState, columns: number): PageState {
  const { sheet } = state;
  if (sheet.grid.columns === columns) return state;
  return { ...state, sheet: { ...sheet, grid: layGrid(sheet.sections, columns) } };
}

/** Applies the filter anew: the framed picture stays framed where it is still shown, else the nearest one is. */
export function refilter(state: PageState, changes: Partial<Pick<Sheet, 'facet' | 'filter'>>): PageState {
  const { facet, filter, grid } = state.sheet;
  const sheet = applyFilter(state, { facet, filter, columns: grid.columns, ...changes });
  return withSheet(state, sheet);
}

function withSheet(state: PageState, sheet: Sheet): PageState {
  const { places, order } = sheet.grid;
  const framed = nearest(state.sheet.grid.order, order, state.framed);
  const selection = new Set([...state.selection].filter((post) => places.has(post)));
  const isLost = state.view !== null && (framed === undefined || framed !== state.framed);
  return { ...state, sheet, framed, selection, anchor: undefined, ...(isLost && { view: null }) };
}

export function goTo(state: PageState, { screen, filter, group, post }: Destination): PageState {
  const there = { ...state, screen, view: null };
  if (screen !== 'sheet') return there;
  const isNew = filter !== undefined || group !== undefined;
  const filtered = isNew
    ? refilter(there, { ...(group && { facet: group }), filter: filter ?? NO_FILTER })
    : there;
  if (post === undefined) return isNew ? { ...filtered, framed: filtered.sheet.grid.order[0] } : filtered;
  // A link to one post shows it, whatever is filtered.
  const isShown = ({ sheet }: PageState) => sheet.grid.places.has(post);
  if (isShown(filtered)) return frame(filtered, post, 'only');
  const all = refilter(filtered, { filter: NO_FILTER });
  const shown = isShown(all) ? all : refilter(filtered, { filter: { ...NO_FILTER, others: true } });
  return frame(shown, post, 'only');
}

/** What a live page got: everything that the person did stays, and what is shown stays where it is. */
export function replaceData(state: PageState, data: ReportData): PageState {
  const decisions = rebase(state.decisions, data);
  const { facet, filter, grid, sections, applied } = state.sheet;
  const shownIn = new Map(
    sections.flatMap(({ value, posts }) => posts.map((post) => [post, value] as const)),
  );
  const matching = new Set(matchingPosts(filter, { data, decisions }));
  const posts = data.posts.filter(
    (post) => shownIn.has(post.address) || (matching.has(post) && !state.posts.has(post.address)),
  );
  const valueOf = (post: (typeof posts)[number]) =>
    shownIn.get(post.address) ?? facetOf(post, facet, decisions);
  const shown = sectionsOf(posts, facet, data, valueOf);
  const sheet = { facet, filter, sections: shown, grid: layGrid(shown, grid.columns), applied };
  const next = { ...state, data, decisions, posts: postsByAddress(data) };
  return { ...withSheet(next, sheet), anchor: state.anchor };
}
