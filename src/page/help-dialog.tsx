import { Modal } from './modal.tsx';
import type { Action } from './reduce.ts';

const KEYS: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
  [
    'Judge',
    [
      ['P', 'approve'],
      ['X', 'reject, with a reason'],
      ['U', 'clear the verdict'],
      ['Shift P, Shift X', 'the same, then the next picture'],
      ['N', 'write a note'],
      ['Ctrl Z', 'undo'],
    ],
  ],
  [
    'Move',
    [
      ['← → ↑ ↓', 'to another picture; in the large view ↑ ↓ are the slides of a carousel'],
      ['Home, End', 'to the first, to the last'],
      ['Shift and an arrow', 'select'],
      ['Ctrl and a click', 'select posts one by one'],
      ['Ctrl A', 'select all that are shown'],
      ['/', 'search'],
      ['?', 'this help'],
    ],
  ],
  [
    'Look',
    [
      ['Enter, Space', 'open and close the large view'],
      ['Esc', 'go back'],
      ['Z', '100 % and the whole picture'],
      ['\\', 'the product photo, while held'],
      ['B', 'the slider between product photo and picture'],
      ['C', 'compare the selected posts, or the takes of one'],
      ['L', 'pin a picture while comparing'],
    ],
  ],
];

export function HelpDialog({ act }: { readonly act: (action: Action) => void }) {
  const leave = () => act({ type: 'dialog', dialog: null });
  return (
    <Modal name="help" label="Keys" onLeave={leave}>
      <div class="key-groups">
        {KEYS.map(([title, keys]) => (
          <section key={title}>
            <h2>{title}</h2>
            <dl>
              {keys.map(([key, words]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <p class="quiet">
        A verdict is about the framed picture, or about all selected ones: the buttons say how many. What was
        decided is dimmed and stays where it is until the filter is applied again.
      </p>
      <p class="buttons">
        <button type="button" class="accent" autoFocus onClick={leave}>
          Close <kbd>Esc</kbd>
        </button>
      </p>
    </Modal>
  );
}
