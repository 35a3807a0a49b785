import { useState } from 'preact/hooks';
import type { Dialog } from './page-state.ts';
import { Modal } from './modal.tsx';
import type { Action } from './reduce.ts';
import { postsWords } from './said-words.ts';

/** Longer than any reason, and so short that hundreds of them are handed over at once. */
const MOST_CHARACTERS = 2_000;

interface AskProps {
  readonly dialog: Extract<Dialog, { kind: 'ask' }>;
  readonly act: (action: Action) => void;
}

/** Asks for the reason of a rejection, which may be empty, or for a note. */
export function AskDialog({ dialog: { about, targets, text }, act }: AskProps) {
  const [typed, setTyped] = useState(text);
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
              Why is <bdi>{posts}</bdi> rejected?
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
            ? 'The next apply requests it again. Enter with an empty field rejects without a reason.'
            : 'The plan shows the note of a verdict. A note without a verdict stays on this page.'}
        </p>
        <p class="buttons">
          <button type="button" onClick={leave}>
            Cancel <kbd>Esc</kbd>
          </button>
          <button type="submit" class="accent">
            {isRejection ? 'Reject' : 'Save'} <kbd>Enter</kbd>
          </button>
        </p>
      </form>
    </Modal>
  );
}
