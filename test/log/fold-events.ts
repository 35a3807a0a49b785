/** Short spellings of events, for folding. */
import type { RequestPayload } from '../../src/model/payload.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { emptyState, fold } from '../../src/log/fold.ts';
import type { FoldState } from '../../src/log/fold-state.ts';

export const PROBLEM = { summary: 'refused' };

/** The time of the n-th event. */
export function at(n: number): string {
  return new Date(Date.UTC(2026, 0, 1, 0, 0, n)).toISOString();
}

type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never;
export type Happening = WithoutTime<StateEvent>;

/** Gives events their times, one second after the other. */
export function timed(...happenings: readonly Happening[]): StateEvent[] {
  return happenings.map((happening, index) => ({ ...happening, at: at(index) }));
}

export function folded(...happenings: readonly Happening[]): FoldState {
  const state = emptyState();
  for (const event of timed(...happenings)) fold(state, event);
  return state;
}

export function intent(address: string, fingerprint = 'f1'): Happening {
  return { type: 'intent', address, attempt: 1, inputs: { from: fingerprint }, fingerprint };
}

export function request(n: number, items: readonly string[], post = 'hero'): RequestPayload {
  return {
    post,
    n,
    concept: { address: 'concept/morning' },
    numberOfPosts: items.length,
    items: items.map((item) => ({
      item,
      fingerprint: `f-${item}`,
      inputs: { item },
      payload: {
        post_type: 'image',
        assets: [],
        variants: [],
        descriptions: [],
        metadata: { aspect_ratio: '1:1' },
      },
    })),
    nextItem: 10,
  };
}

export function requested(n: number, items: readonly string[], post = 'hero'): Happening {
  return { ...intent(`media-config/${post}@${n}`), request: request(n, items, post) } as Happening;
}

export function createdRequest(n: number, surplus: readonly string[] = [], post = 'hero'): Happening {
  const result = { id: `c-${n}`, concept: 'k-1', items: {}, ...(surplus.length > 0 && { surplus }) };
  return { type: 'created', address: `media-config/${post}@${n}`, result };
}

/** A state as plain data, for comparing; the order of sets means nothing. */
export function plain(state: FoldState): unknown {
  return JSON.parse(
    JSON.stringify(state, (_, value: unknown) =>
      value instanceof Set
        ? [...(value as Set<string>)].sort()
        : value instanceof Map
          ? [...(value as Map<unknown, unknown>)]
          : value,
    ),
  );
}
