import type { RunState } from '../model/run-state.ts';
import type { StateEvent } from '../model/state-event.ts';
import { emptyState, fold } from './fold.ts';
import { type FoldState, orderState } from './fold-state.ts';

export function withEvents(state: RunState, events: readonly StateEvent[]): RunState {
  if (!events.length) return state;
  const copy: FoldState = {
    objects: new Map(state.objects),
    requests: new Map(state.requests),
    media: new Map(state.media),
    learned: new Map(state.learned),
    gone: new Set(state.gone),
    spending: {
      ...emptyState().spending,
      open: new Set(state.spending.open),
      carried: new Map(state.spending.carried),
    },
    before: new Map(),
  };
  for (const event of events) fold(copy, event);
  orderState(copy);
  return copy;
}
