import { useState } from 'preact/hooks';
import { asksAgain } from './reduce-judging.ts';
import type { AskDialog as Asked, PageState } from './page-state.ts';
import { Modal } from './modal.tsx';
import type { Action } from './reduce.ts';
import { followsWords, leftWords, postsWords } from './said-words.ts';

/** Longer than any reason, and so short that hundreds of them are handed over at once. */
const MOST_CHARACTERS = 2_000;

interface AskProps {
  readonly state: PageState;
  readonly dialog: Asked;
  readonly act: (action: Action) => void;
}

/** Asks for the reason of a rejection, which may be empty, or for a note. */
export function AskDialog({ state, dialog, act }: AskProps) {
  const { about, targets, left } = dialog;
  const [typed, setTyped] = useState(dialog.typed ?? dialog.text);
  const isRejection = about === 'rejection';
  const leave = () => act({ type: 'dialog', dialog: null });
  const onSubmit = (event: Event) => {
    event.preventDefault();
    act({ type: 'answer', text: typed, at: new Date().toISOString() });
  };
  const posts = postsWords(targets);
  return (
    <Modal name="ask" label={isRejection ? 'Reject' : 'Note'} onLeave={leave}>
      <form onSubmit={onSubmit}>
        <label>
          {isRejection ? (
            <>
              Why {targets.length === 1 ? 'is' : 'are'} <bdi>{posts}</bdi> rejected?
            </>
          ) : (
            <>
              Note on <bdi>{posts}</bdi>
            </>
          )}
          <input
            type="text"
            dir="auto"
            autoFocus
            autoComplete="off"
            maxLength={MOST_CHARACTERS}
            value={typed}
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <p class="quiet">
          {isRejection
            ? `${followsWords(targets, state)} The field may stay empty.`
            : 'The plan shows the note of a verdict. A note without a verdict stays on this page.'}
        </p>
        {left.length > 0 && <p>{leftWords(left, 'rejected')}</p>}
        <p class="buttons">
          <button type="button" onClick={leave}>
            Cancel <kbd>Esc</kbd>
          </button>
          <button type="submit" class="accent">
            {isRejection ? (asksAgain(targets) ? 'Go on' : 'Reject') : 'Save'} <kbd>Enter</kbd>
          </button>
        </p>
      </form>
    </Modal>
  );
}
