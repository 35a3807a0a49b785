/** The large view and takes side by side. */
import type { Direction } from './grid-rows.ts';
import { chosenPosts, type CompareView, type LargeView, type PageState, type Pane } from './page-state.ts';

/** More do not fit beside each other. */
const MOST_PANES = 6;

export function openLarge(state: PageState): PageState {
  if (state.framed === undefined || state.view) return state;
  return { ...state, view: { kind: 'large', take: undefined, slide: 0 } };
}

/** The selected posts, or the takes of the framed one. */
export function compare(state: PageState): PageState {
  if (state.view?.kind === 'compare') return close(state);
  const posts = chosenPosts(state);
  const shown: Pane[] =
    posts.length > 1
      ? posts.flatMap(({ address, takes }) =>
          takes.length ? [{ post: address, take: takes.length - 1 }] : [],
        )
      : posts.flatMap(({ address, takes }) => takes.map((_, take) => ({ post: address, take })));
  if (shown.length < 2) {
    const message =
      'There is only one picture here. Select several posts (Shift and an arrow) to compare them.';
    return { ...state, message };
  }
  // Of many takes the newest.
  const panes = posts.length > 1 ? shown.slice(0, MOST_PANES) : shown.slice(-MOST_PANES);
  const framed = panes.findLastIndex(({ post }) => post === state.framed);
  const view: CompareView = {
    kind: 'compare',
    panes,
    active: Math.max(0, framed),
    pinned: undefined,
    back: state.view,
  };
  const message = shown.length > panes.length ? `The first ${MOST_PANES} of ${shown.length} are shown.` : '';
  return activate({ ...state, view, message }, view.active);
}

export function close(state: PageState): PageState {
  const { view } = state;
  if (view?.kind === 'compare') return { ...state, view: view.back && { ...view.back, take: undefined } };
  if (view) return { ...state, view: null };
  return { ...state, selection: new Set(), anchor: undefined };
}

/** The slides of a carousel. */
export function slideBy(state: PageState, by: number): PageState {
  const { view } = state;
  if (view?.kind !== 'large') return state;
  const count = shownTake(state, view)?.pictures.length ?? 0;
  const slide = Math.max(0, Math.min(count - 1, view.slide + by));
  return { ...state, view: { ...view, slide } };
}

/** The take that the large view shows. */
export function shownTake({ posts, framed }: PageState, { take }: LargeView) {
  return posts.get(framed ?? '')?.takes.at(take ?? -1);
}

export function changeTake(state: PageState, take: number): PageState {
  const { view } = state;
  return view?.kind === 'large' ? { ...state, view: { ...view, take, slide: 0 } } : state;
}

/** The active pane is what is framed. */
export function activate(state: PageState, pane: number): PageState {
  const { view } = state;
  const framed = view?.kind === 'compare' ? view.panes[pane]?.post : undefined;
  if (view?.kind !== 'compare' || framed === undefined) return state;
  return { ...state, framed, view: { ...view, active: pane } };
}

/** With a pinned pane the arrows go through the others, one of which stands beside it. */
export function stepPane(state: PageState, direction: Direction): PageState {
  const { view } = state;
  if (view?.kind !== 'compare') return state;
  const { panes, active, pinned } = view;
  const order = panes.map((_, index) => index).filter((index) => index !== pinned);
  const last = order.length - 1;
  const at = order.indexOf(active);
  const to = { left: at - 1, up: at - 1, right: at + 1, down: at + 1, first: 0, last }[direction];
  return activate(state, order[Math.max(0, Math.min(last, to))] ?? active);
}

/** Pins the active pane and goes on to the next, or lets go of the pinned one. */
export function pin(state: PageState): PageState {
  const { view } = state;
  if (view?.kind !== 'compare') return state;
  if (view.pinned !== undefined) return { ...state, view: { ...view, pinned: undefined } };
  const { active, panes } = view;
  const pinned = { ...state, view: { ...view, pinned: active } };
  return activate(pinned, active + 1 < panes.length ? active + 1 : active - 1);
}

/** The panes that are shown: all, or the pinned one and the one beside it. */
export function shownPanes({ panes, active, pinned }: CompareView): number[] {
  if (pinned === undefined) return panes.map((_, index) => index);
  return pinned === active ? [pinned] : [pinned, active];
}
