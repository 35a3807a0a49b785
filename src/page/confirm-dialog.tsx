import { count } from '../util/count.ts';
import { Modal } from './modal.tsx';
import type { ConfirmDialog as Confirmed, PageState } from './page-state.ts';
import type { Action } from './reduce.ts';
import { followsWords, leftWords } from './said-words.ts';

interface ConfirmProps {
  readonly state: PageState;
  readonly dialog: Confirmed;
  readonly act: (action: Action) => void;
}

/** How many posts are rejected, and what that costs. Enter goes back: whoever presses it out of habit pays for nothing. */
export function ConfirmDialog({ state, dialog: { targets, approved, does, back }, act }: ConfirmProps) {
  const posts = count(targets.length, 'post');
  const leave = () => act({ type: 'dialog', dialog: back });
  const isFile = does.type === 'merge';
  return (
    <Modal name="confirm" label={isFile ? 'Read the file' : 'Reject'} onLeave={leave}>
      <h2>{isFile ? `The file rejects ${posts}.` : `Reject ${posts}?`}</h2>
      <p>{followsWords(targets, state)}</p>
      {does.type === 'answer' && <Reason text={does.text} left={does.asked.left} />}
      {approved > 0 && (
        <p>
          <strong>{approvedWords(approved, targets.length)}</strong>
        </p>
      )}
      <p class="buttons">
        <button type="button" autoFocus onClick={leave}>
          Go back <kbd>Esc</kbd>
        </button>
        <button
          type="button"
          class="reject"
          onClick={() => act({ type: 'confirm', at: new Date().toISOString() })}
        >
          {isFile ? `Read it, and reject ${posts}` : `Reject ${posts}`}
        </button>
      </p>
    </Modal>
  );
}

function Reason({ text, left }: { readonly text: string; readonly left: readonly unknown[] }) {
  return (
    <>
      <p class="quiet">
        {text.trim() ? (
          <>
            Reason: <bdi>{text.trim()}</bdi>
          </>
        ) : (
          'Without a reason.'
        )}
      </p>
      {left.length > 0 && <p class="quiet">{leftWords(left, 'rejected')}</p>}
    </>
  );
}

function approvedWords(approved: number, all: number): string {
  if (all === 1) return 'It is approved now.';
  return `${approved} of them ${approved === 1 ? 'is' : 'are'} approved now.`;
}
