import type { PageState } from './page-state.ts';
import type { Action } from './reduce.ts';

interface ZoomProps {
  readonly state: Pick<PageState, 'zoom'>;
  readonly act: (action: Action) => void;
}

export function ZoomButton({ state, act }: ZoomProps) {
  return (
    <button type="button" aria-pressed={state.zoom !== 'fit'} onClick={() => act({ type: 'toggle-zoom' })}>
      100 % <kbd>Z</kbd>
    </button>
  );
}
