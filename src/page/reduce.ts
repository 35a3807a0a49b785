/** Every change of the page, from what a person or the live page does. Pure. */
import type { ReportData } from '../views/report-data.ts';
import type { Decision } from './decide.ts';
import { type DecisionChange, markExported, markWritten } from './unwritten.ts';
import type { Direction } from './grid-rows.ts';
import type { Destination, Dialog, PageState } from './page-state.ts';
import { ask, type Answer, answer, approve, clearVerdicts, confirm, merge, undo } from './reduce-judging.ts';
import { click, goTo, layColumns, move, refilter, replaceData, selectAll } from './reduce-sheet.ts';
import { activate, changeTake, close, compare, openLarge, pin, slideBy } from './reduce-view.ts';
import type { Facet, SheetFilter } from './sheet-filter.ts';
import { toggleZoom, type Zoom } from './zoom.ts';

export type Action =
  | { readonly type: 'move'; readonly direction: Direction; readonly extends: boolean }
  | { readonly type: 'frame'; readonly post: string; readonly how: 'only' | 'toggle' | 'extend' }
  | { readonly type: 'select-all' }
  | { readonly type: 'filter'; readonly filter: SheetFilter }
  | { readonly type: 'group'; readonly facet: Facet }
  | { readonly type: 'apply-again' }
  | { readonly type: 'columns'; readonly columns: number }
  | { readonly type: 'approve'; readonly advances: boolean; readonly at: string }
  | { readonly type: 'ask'; readonly about: 'rejection' | 'note'; readonly advances: boolean }
  | ({ readonly type: 'answer' } & Answer)
  | { readonly type: 'confirm'; readonly at: string }
  | { readonly type: 'clear' }
  | { readonly type: 'undo' }
  | { readonly type: 'open' }
  | { readonly type: 'compare' }
  | { readonly type: 'close' }
  | { readonly type: 'slide'; readonly by: number }
  | { readonly type: 'take'; readonly take: number }
  | { readonly type: 'pane'; readonly pane: number }
  | { readonly type: 'pin' }
  | { readonly type: 'slider' }
  | { readonly type: 'photo'; readonly isShown: boolean }
  | { readonly type: 'toggle-zoom' }
  | { readonly type: 'zoom'; readonly zoom: Zoom }
  | { readonly type: 'dialog'; readonly dialog: Dialog | null }
  | { readonly type: 'go'; readonly to: Destination }
  | { readonly type: 'data'; readonly data: ReportData }
  | { readonly type: 'merge'; readonly file: readonly Decision[] }
  | { readonly type: 'exported'; readonly message: string }
  | { readonly type: 'written'; readonly changes: readonly DecisionChange[] }
  | { readonly type: 'named'; readonly by: string }
  | { readonly type: 'say'; readonly message: string }
  | { readonly type: 'notice'; readonly notice: string | null };

/** After these, what the last command did is no news any more. */
const GOES_ON: ReadonlySet<Action['type']> = new Set([
  'move',
  'frame',
  'open',
  'close',
  'filter',
  'group',
  'go',
]);

export function reduce(state: PageState, action: Action): PageState {
  const next = reduced(state, action);
  const isOld = next !== state && next.message === state.message && GOES_ON.has(action.type);
  return isOld ? { ...next, message: '' } : next;
}

function reduced(state: PageState, action: Action): PageState {
  switch (action.type) {
    case 'move':
      return move(state, action.direction, action.extends);
    case 'frame':
      return click(state, action.post, action.how);
    case 'select-all':
      return selectAll(state);
    case 'filter':
      return refilter(state, { filter: action.filter });
    case 'group':
      return refilter(state, { facet: action.facet });
    case 'apply-again':
      return refilter(state, {});
    case 'columns':
      return layColumns(state, action.columns);
    case 'approve':
    case 'ask':
    case 'answer':
    case 'confirm':
    case 'clear':
    case 'undo':
      return reduceJudging(state, action);
    case 'open':
    case 'compare':
    case 'close':
    case 'slide':
    case 'take':
    case 'pane':
    case 'pin':
    case 'slider':
    case 'photo':
    case 'toggle-zoom':
    case 'zoom':
      return reduceView(state, action);
    case 'dialog':
      return { ...state, dialog: action.dialog };
    case 'go':
      return goTo(state, action.to);
    case 'data':
      return replaceData(state, action.data);
    case 'merge':
      return merge(state, action.file);
    case 'exported':
      return { ...state, decisions: markExported(state.decisions), message: action.message };
    case 'written':
      return { ...state, decisions: markWritten(state.decisions, action.changes) };
    case 'named':
      return { ...state, by: action.by };
    case 'say':
      return { ...state, message: action.message };
    case 'notice':
      return { ...state, notice: action.notice };
  }
}

type Of<Type extends Action['type']> = Extract<Action, { type: Type }>;

function reduceJudging(
  state: PageState,
  action: Of<'approve' | 'ask' | 'answer' | 'confirm' | 'clear' | 'undo'>,
): PageState {
  switch (action.type) {
    case 'approve':
      return approve(state, action);
    case 'ask':
      return ask(state, action.about, action.advances);
    case 'answer':
      return answer(state, action);
    case 'confirm':
      return confirm(state, action.at);
    case 'clear':
      return clearVerdicts(state);
    case 'undo':
      return undo(state);
  }
}

function reduceView(
  state: PageState,
  action: Of<
    | 'open'
    | 'compare'
    | 'close'
    | 'slide'
    | 'take'
    | 'pane'
    | 'pin'
    | 'slider'
    | 'photo'
    | 'toggle-zoom'
    | 'zoom'
  >,
): PageState {
  switch (action.type) {
    case 'open':
      return openLarge(state);
    case 'compare':
      return compare(state);
    case 'close':
      return close(state);
    case 'slide':
      return slideBy(state, action.by);
    case 'take':
      return changeTake(state, action.take);
    case 'pane':
      return activate(state, action.pane);
    case 'pin':
      return pin(state);
    case 'slider':
      return { ...state, hasSlider: !state.hasSlider };
    case 'photo':
      return { ...state, hasPhoto: action.isShown };
    case 'toggle-zoom':
      return { ...state, zoom: toggleZoom(state.zoom) };
    case 'zoom':
      return { ...state, zoom: action.zoom };
  }
}
