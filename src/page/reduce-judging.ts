/** Approve, reject, note, clear, undo: always about the framed picture, or about what is selected. */
import { annotate, clear, decisionAbout, judge, noteOn, type Target, undoLast } from './decide.ts';
import { moveInOrder } from './grid-rows.ts';
import { chosenPosts, chosenTargets, type CompareView, type PageState } from './page-state.ts';
import { frame } from './reduce-sheet.ts';
import { activate } from './reduce-view.ts';
import { decidedWords, nothingToJudge, postsWords } from './said-words.ts';

/** `text`: what was typed as the reason or the note. */
export interface Answer {
  readonly text: string;
  readonly at: string;
}

export function approve(
  state: PageState,
  { advances, at }: { readonly advances: boolean; readonly at: string },
): PageState {
  const targets = judgedTargets(state);
  if (typeof targets === 'string') return { ...state, message: targets };
  const decisions = judge(state.decisions, targets, { verdict: 'approved', by: state.by.trim(), at });
  const judged = { ...state, decisions, message: decidedWords('Approved', targets, state) };
  return advances ? advance(judged, targets) : judged;
}

/** Opens the field for the reason of a rejection, or for a note. */
export function ask(state: PageState, about: 'rejection' | 'note', advances: boolean): PageState {
  const targets = judgedTargets(state);
  if (typeof targets === 'string') return { ...state, message: targets };
  return {
    ...state,
    dialog: { kind: 'ask', about, targets, text: firstText(state, targets, about), advances },
  };
}

/** Of one post the note that it has; a reason never begins with the note of an approval. */
function firstText(state: PageState, targets: readonly Target[], about: 'rejection' | 'note'): string {
  const [target] = targets;
  const post = target && state.posts.get(target.post);
  if (!post || targets.length > 1) return '';
  const isApproved = decisionAbout(target.media, state.decisions)?.verdict === 'approved';
  return about === 'rejection' && isApproved ? '' : noteOn(post, state.decisions);
}

export function answer(state: PageState, { text, at }: Answer): PageState {
  const { dialog } = state;
  const by = state.by.trim();
  if (dialog?.kind !== 'ask') return state;
  const { about, targets, advances } = dialog;
  const typed = text.trim();
  const closed = { ...state, dialog: null };
  const isUnchanged = typed === dialog.text.trim();
  if (about === 'note') {
    if (isUnchanged) return closed;
    const decisions = annotate(state.decisions, targets, { note: typed, by, at });
    const [what, about] = [typed === '' ? 'Removed the note on' : 'Noted on', postsWords(targets)];
    return { ...closed, decisions, message: `${what} ${about}.` };
  }
  // Several that were rejected before keep their reasons where none was typed.
  const note = isUnchanged ? {} : { note: typed };
  const decisions = judge(state.decisions, targets, { verdict: 'rejected', ...note, by, at });
  const judged = { ...closed, decisions, message: decidedWords('Rejected', targets, state) };
  return advances ? advance(judged, targets) : judged;
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
