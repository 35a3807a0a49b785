import type { ComponentChildren } from 'preact';
import type { Decision } from './decide.ts';
import { meantBy } from './meant-targets.ts';
import type { PageState } from './page-state.ts';
import type { Action } from './reduce.ts';

interface JudgeBarProps {
  readonly state: PageState;
  readonly act: (action: Action) => void;
  /** How many posts a command is about. */
  readonly count: number;
  readonly children?: ComponentChildren;
}

/** The commands as buttons, with their keys, and what the last one did. */
export function JudgeBar({ state, act, count, children }: JudgeBarProps) {
  const isSelection = !state.view && state.selection.size > 0;
  const number = isSelection ? ` ${count}` : '';
  const judged = (verdict: Decision['verdict']) =>
    isSelection ? ` ${meantBy(state, verdict).targets.length}` : '';
  const now = () => new Date().toISOString();
  return (
    <div class="judge" role="toolbar" aria-label="Judge">
      <button
        type="button"
        class="approve"
        disabled={count === 0}
        onClick={() => act({ type: 'approve', advances: false, at: now() })}
      >
        ✓ Approve{judged('approved')} <kbd>P</kbd>
      </button>
      <button
        type="button"
        class="reject"
        disabled={count === 0}
        onClick={() => act({ type: 'ask', about: 'rejection', advances: false })}
      >
        ✗ Reject{judged('rejected')} <kbd>X</kbd>
      </button>
      <button type="button" disabled={count === 0} onClick={() => act({ type: 'clear' })}>
        Clear{number} <kbd>U</kbd>
      </button>
      <button
        type="button"
        disabled={count === 0}
        onClick={() => act({ type: 'ask', about: 'note', advances: false })}
      >
        Note{number} <kbd>N</kbd>
      </button>
      {state.view ? null : (
        <button type="button" disabled={count === 0} onClick={() => act({ type: 'open' })}>
          Open <kbd>Enter</kbd>
        </button>
      )}
      {state.view?.kind !== 'compare' && (
        <button type="button" disabled={count === 0} onClick={() => act({ type: 'compare' })}>
          Compare{number} <kbd>C</kbd>
        </button>
      )}
      {children}
      <button
        type="button"
        disabled={state.decisions.undo.length === 0}
        onClick={() => act({ type: 'undo' })}
      >
        Undo <kbd>Ctrl Z</kbd>
      </button>
      <p class="said" role="status" dir="auto" title={state.message}>
        {state.message}
      </p>
    </div>
  );
}
