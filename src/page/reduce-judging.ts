/** Approve, reject, note, clear, undo: always about the framed picture, or about what is selected. */
import {
  annotate,
  clear,
  type Decision,
  decisionAbout,
  judge,
  noteOn,
  type Target,
  undoLast,
} from './decide.ts';
import { moveInOrder } from './grid-rows.ts';
import { meantBy, newlyRejected, stillMeant } from './meant-targets.ts';
import { mergeDecisions } from './merge-decisions.ts';
import {
  type AskDialog,
  chosenPosts,
  chosenTargets,
  type CompareView,
  type ConfirmDialog,
  type PageState,
} from './page-state.ts';
import { frame } from './reduce-sheet.ts';
import { activate } from './reduce-view.ts';
import { decidedWords, leftWords, mergedWords, nothingToJudge, postsWords } from './said-words.ts';

/** `text`: what was typed as the reason or the note. */
export interface Answer {
  readonly text: string;
  readonly at: string;
}

export function approve(
  state: PageState,
  { advances, at }: { readonly advances: boolean; readonly at: string },
): PageState {
  const chosen = judgedTargets(state);
  if (typeof chosen === 'string') return { ...state, message: chosen };
  const { targets, left } = meantBy(state, 'approved');
  if (!targets.length) return { ...state, message: leftWords(left, 'approved') };
  const decisions = judge(state.decisions, targets, { verdict: 'approved', by: state.by.trim(), at });
  const judged = { ...state, decisions, message: decidedWords('approved', { targets, left }, state) };
  return advances ? advance(judged, chosen) : judged;
}

/** Opens the field for the reason of a rejection, or for a note. */
export function ask(state: PageState, about: AskDialog['about'], advances: boolean): PageState {
  const chosen = judgedTargets(state);
  if (typeof chosen === 'string') return { ...state, message: chosen };
  const { targets, left } =
    about === 'rejection' ? meantBy(state, 'rejected') : { targets: chosen, left: [] };
  if (!targets.length) return { ...state, message: leftWords(left, 'rejected') };
  const text = firstText(state, targets, about);
  const seen = state.decisions.all;
  return { ...state, dialog: { kind: 'ask', about, targets, left, seen, text, advances } };
}

/** Of one post the note that it has; a reason never begins with the note of an approval. */
function firstText(state: PageState, targets: readonly Target[], about: 'rejection' | 'note'): string {
  const [target] = targets;
  const post = target && state.posts.get(target.post);
  if (!post || targets.length > 1) return '';
  const isApproved = decisionAbout(target.media, state.decisions)?.verdict === 'approved';
  return about === 'rejection' && isApproved ? '' : noteOn(post, state.decisions);
}

/** More posts than this are not rejected without another yes, because each is paid for again. */
const UNASKED = 10;

export function asksAgain(targets: readonly Target[]): boolean {
  return targets.length > UNASKED;
}

export function answer(state: PageState, { text, at }: Answer): PageState {
  const { dialog } = state;
  if (dialog?.kind !== 'ask') return state;
  if (dialog.about === 'note') return takeNote(state, dialog, { text, at });
  const { targets } = dialog;
  if (!asksAgain(targets)) return reject(state, dialog, { text, at });
  const back = { ...dialog, typed: text };
  const approved = countApproved(targets, state);
  const does = { type: 'answer', asked: dialog, text } as const;
  return { ...state, dialog: { kind: 'confirm', targets, approved, does, back } };
}

/** The yes to what `ConfirmDialog` says. */
export function confirm(state: PageState, at: string): PageState {
  const { dialog } = state;
  if (dialog?.kind !== 'confirm') return state;
  const { does, back } = dialog;
  if (does.type === 'answer') return reject(state, does.asked, { text: does.text, at });
  return takeOver({ ...state, dialog: back }, does.file);
}

/** Takes over the decisions of a file; asks first where that rejects many posts, or one that is approved here. */
export function merge(state: PageState, file: readonly Decision[]): PageState {
  const { decisions } = mergeDecisions(state.decisions, file);
  const targets = newlyRejected(state, state.decisions, decisions);
  const approved = countApproved(targets, state);
  if (!asksAgain(targets) && approved === 0) return takeOver(state, file);
  const back = state.dialog?.kind === 'confirm' ? state.dialog.back : state.dialog;
  const dialog: ConfirmDialog = { kind: 'confirm', targets, approved, does: { type: 'merge', file }, back };
  return { ...state, dialog };
}

function takeOver(state: PageState, file: readonly Decision[]): PageState {
  const merged = mergeDecisions(state.decisions, file);
  return { ...state, decisions: merged.decisions, message: mergedWords(merged) };
}

function countApproved(targets: readonly Target[], { decisions }: PageState): number {
  return targets.filter(({ media }) => decisionAbout(media, decisions)?.verdict === 'approved').length;
}

function takeNote(state: PageState, { targets, text }: AskDialog, { text: given, at }: Answer): PageState {
  const closed = { ...state, dialog: null };
  const typed = given.trim();
  if (typed === text.trim()) return closed;
  const decisions = annotate(state.decisions, targets, { note: typed, by: state.by.trim(), at });
  const what = typed === '' ? 'Removed the note on' : 'Noted on';
  return { ...closed, decisions, message: `${what} ${postsWords(targets)}.` };
}

function reject(state: PageState, asked: AskDialog, { text, at }: Answer): PageState {
  const closed = { ...state, dialog: null };
  // Somebody else may have approved one while the reason was typed.
  const now = stillMeant(asked.targets, 'rejected', { before: { all: asked.seen }, now: state.decisions });
  const left = [...asked.left, ...now.left];
  if (!now.targets.length) return { ...closed, message: leftWords(left, 'rejected') };
  const typed = text.trim();
  // Several that were rejected before keep their reasons where none was typed.
  const note = typed === asked.text.trim() ? {} : { note: typed };
  const said = { verdict: 'rejected', ...note, by: state.by.trim(), at } as const;
  const decisions = judge(state.decisions, now.targets, said);
  const message = decidedWords('rejected', { targets: now.targets, left }, state);
  const judged = { ...closed, decisions, message };
  return asked.advances ? advance(judged, [...asked.targets, ...asked.left]) : judged;
}

export function clearVerdicts(state: PageState): PageState {
  const targets = judgedTargets(state);
  if (typeof targets === 'string') return { ...state, message: targets };
  const decisions = clear(state.decisions, targets);
  const isNothing = decisions === state.decisions;
  return {
    ...state,
    decisions,
    message: isNothing ? 'There is no verdict to clear.' : `Cleared ${postsWords(targets)}.`,
  };
}

/** Takes the last step back, and frames what it was about. */
export function undo(state: PageState): PageState {
  const step = state.decisions.undo.at(-1);
  if (!step) return { ...state, message: 'There is nothing to undo.' };
  const message = `Undone: ${step.label.toLowerCase()} ${postsWords(step.posts.map((post) => ({ post })))}.`;
  const undone = { ...state, decisions: undoLast(state.decisions), message };
  const [post, ...others] = step.posts;
  if (post === undefined || state.view?.kind === 'compare') return undone;
  if (state.selection.size > 0 && (others.length > 0 || state.selection.has(post))) return undone;
  return others.length > 0 && state.view ? undone : frame(undone, post, 'only');
}

function judgedTargets(state: PageState): readonly Target[] | string {
  const { view } = state;
  if (view) {
    const older = olderTake(state);
    if (older !== undefined) return older;
  }
  const targets = chosenTargets(state);
  return targets.length ? targets : nothingToJudge(chosenPosts(state));
}

/** A verdict about an older take has no effect, so that there is none. */
function olderTake({ view, framed, posts }: PageState): string | undefined {
  const last = (posts.get(framed ?? '')?.takes.length ?? 0) - 1;
  const shown = view?.kind === 'compare' ? view.panes[view.active]?.take : view?.take;
  if (shown === undefined || shown === last) return undefined;
  return 'This is an older take. A verdict is always about the newest one.';
}

function advance(state: PageState, targets: readonly Target[]): PageState {
  if (state.view?.kind === 'compare') return nextPane(state, state.view);
  const last = targets.at(-1)?.post;
  const next = moveInOrder(state.sheet.grid.order, last, 1);
  if (next === undefined) return state;
  const message = next === last ? `${state.message} This was the last picture.` : state.message;
  return { ...frame(state, next, 'only'), message };
}

function nextPane(state: PageState, { panes, active }: CompareView): PageState {
  return activate(state, Math.min(panes.length - 1, active + 1));
}
