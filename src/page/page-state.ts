/**
 * All that the page shows is one plain value, changed by pure functions (`reduce.ts`). A place on it is the address of a post,
 * never a number, so that nothing is lost when the data or the filter changes.
 */
import type { ReportData, SheetPost } from '../views/report-data.ts';
import {
  type ByMedium,
  type Decision,
  type Decisions,
  judgedAs,
  startDecisions,
  type Target,
  targetOf,
} from './decide.ts';
import { type Grid, layGrid } from './grid-rows.ts';
import { type Facet, facetOf, matchingPosts, NO_FILTER, type Section, sectionsOf } from './sheet-filter.ts';
import type { SheetFilter } from './sheet-filter.ts';
import type { Zoom } from './zoom.ts';

export const SCREENS = [
  'sheet',
  'coverage',
  'timeline',
  'graph',
  'failures',
  'cost',
  'changes',
  'decisions',
  'summary',
] as const;
export type ScreenName = (typeof SCREENS)[number];

export interface PageState {
  readonly data: ReportData;
  readonly posts: ReadonlyMap<string, SheetPost>;
  readonly decisions: Decisions;
  /** Who decides, as the file names them; people may leave it empty. */
  readonly by: string;
  readonly screen: ScreenName;
  readonly sheet: Sheet;
  /** The framed picture; undefined where there is none. */
  readonly framed: string | undefined;
  /** Where Shift and an arrow began to select. */
  readonly anchor: string | undefined;
  readonly selection: ReadonlySet<string>;
  /** Posts that were chosen one by one, each with a click of its own; not those that a range or everything took in. */
  readonly named: ReadonlySet<string>;
  readonly view: View | null;
  readonly zoom: Zoom;
  /** The slider between product photo and picture. */
  readonly hasSlider: boolean;
  /** The product photo in the place of the picture, while its key is held. */
  readonly hasPhoto: boolean;
  readonly dialog: Dialog | null;
  /** What the last command did, in one sentence: it is shown, and read out by screen readers. */
  readonly message: string;
  /** What stays on the page, for example that the connection is lost. */
  readonly notice: string | null;
}

export interface Sheet {
  readonly facet: Facet;
  readonly filter: SheetFilter;
  readonly sections: readonly Section[];
  readonly grid: Grid;
  /** The verdicts when the filter was applied: what was decided since then is dimmed, and stays where it is. */
  readonly applied: ByMedium;
}

/** A take of a post, by its place among the post's takes. */
export interface Pane {
  readonly post: string;
  readonly take: number;
}

export interface LargeView {
  readonly kind: 'large';
  /** Undefined: the newest. */
  readonly take: number | undefined;
  /** Of a carousel. */
  readonly slide: number;
}

export interface CompareView {
  readonly kind: 'compare';
  readonly panes: readonly Pane[];
  readonly active: number;
  /** Stays while the arrows change the pane beside it. */
  readonly pinned: number | undefined;
  /** Where Esc leads. */
  readonly back: LargeView | null;
}

export type View = LargeView | CompareView;

export type Dialog = { readonly kind: 'help' | 'export' } | AskDialog | ConfirmDialog;

/** Asks for the reason of a rejection, or for a note. */
export interface AskDialog {
  readonly kind: 'ask';
  readonly about: 'rejection' | 'note';
  readonly targets: readonly Target[];
  /** Those that were chosen as well, and stay approved. */
  readonly left: readonly Target[];
  /** The decisions that the person saw when this was asked. */
  readonly seen: ByMedium;
  /** What the field begins with, and what was typed before the person went back to it. */
  readonly text: string;
  readonly typed?: string;
  readonly advances: boolean;
}

/** Says how many posts are rejected and what that costs, and asks for a yes. */
export interface ConfirmDialog {
  readonly kind: 'confirm';
  readonly targets: readonly Target[];
  /** How many of these were approved. */
  readonly approved: number;
  /** What a yes does: reject with this reason, or take over a file. */
  readonly does:
    | { readonly type: 'answer'; readonly asked: AskDialog; readonly text: string }
    | { readonly type: 'merge'; readonly file: readonly Decision[] };
  /** Where a no leads. */
  readonly back: Dialog | null;
}

/** Where a link of another screen leads. */
export interface Destination {
  readonly screen: ScreenName;
  /** Of the contact sheet; others are dropped. */
  readonly filter?: SheetFilter;
  readonly group?: Facet;
  /** The post to frame, by its address. */
  readonly post?: string;
}

export function startPage(data: ReportData, columns = 1): PageState {
  const decisions = startDecisions(data);
  const sheet = applyFilter({ data, decisions }, { facet: 'plan', filter: NO_FILTER, columns });
  return {
    data,
    posts: postsByAddress(data),
    decisions,
    by: '',
    screen: 'sheet',
    sheet,
    framed: sheet.grid.order[0],
    anchor: undefined,
    selection: new Set(),
    named: new Set(),
    view: null,
    zoom: 'fit',
    hasSlider: false,
    hasPhoto: false,
    dialog: null,
    message: '',
    notice: null,
  };
}

export function postsByAddress({ posts }: ReportData): ReadonlyMap<string, SheetPost> {
  return new Map(posts.map((post) => [post.address, post]));
}

export function applyFilter(
  { data, decisions }: Pick<PageState, 'data' | 'decisions'>,
  { facet, filter, columns }: Pick<Sheet, 'facet' | 'filter'> & { readonly columns: number },
): Sheet {
  const posts = matchingPosts(filter, { data, decisions });
  const sections = sectionsOf(posts, facet, data, (post) => facetOf(post, facet, decisions));
  return { facet, filter, sections, grid: layGrid(sections, columns), applied: decisions.all };
}

/** The posts that a command is about: the framed one, or on the sheet those that are selected. */
export function chosenPosts({ view, selection, framed, sheet, posts }: PageState): SheetPost[] {
  const chosen =
    view || selection.size === 0 ? [framed ?? ''] : sheet.grid.order.filter((post) => selection.has(post));
  return chosen.flatMap((address) => posts.get(address) ?? []);
}

export function chosenTargets(state: PageState): Target[] {
  return chosenPosts(state).flatMap((post) => targetOf(post) ?? []);
}

/** Decided since the filter was applied. */
export function isDimmed(post: SheetPost, { decisions, sheet }: PageState): boolean {
  if (decisions.all === sheet.applied) return false;
  const now = judgedAs(post, decisions);
  return now !== undefined && now !== 'undecided' && now !== judgedAs(post, { all: sheet.applied });
}
