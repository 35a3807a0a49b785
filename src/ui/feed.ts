/**
 * What the page shows, in versions. Each version is known by an id; whoever names the one it has is told what has changed
 * since, or, where that is no longer known, gets all of it.
 */
import { randomBytes } from 'node:crypto';
import type { Json } from '../util/json.ts';
import { type JsonChange, jsonChanges } from '../util/json-changes.ts';

export interface Message {
  readonly id: string;
  /** `whole`: a JSON value; `changes`: a list of JsonChange. */
  readonly event: 'whole' | 'changes';
  /** JSON, in one line. */
  readonly text: string;
}

export interface Feed {
  /** Says whether anything is new. */
  publish(value: Json): boolean;
  /** Undefined where `id` names the present version, or there is none yet. */
  since(id: string | undefined): Message | undefined;
  /** Calls back after each new version, until the returned function is called. */
  onChange(listener: () => void): () => void;
}

/** Pages that were away for longer get everything: that is less than so many changes. */
const KEPT = 500;
const LARGE = 1_000_000;

export function createFeed(): Feed {
  const epoch = randomBytes(6).toString('hex');
  const listeners = new Set<() => void>();
  /** The changes that led to each version, the newest last. */
  let kept: (readonly JsonChange[])[] = [];
  let version = 0;
  let value: Json | undefined;
  let whole: Message | undefined;

  const idOf = (number: number) => `${epoch}-${number}`;
  const changesSince = (id: string | undefined): readonly JsonChange[] | undefined => {
    const behind = kept.findLastIndex((_, index) => idOf(version - kept.length + index) === id);
    return behind < 0 ? undefined : kept.slice(behind).flat();
  };
  return {
    publish(next) {
      const changes = jsonChanges(value, next);
      if (value !== undefined && !changes.length) return false;
      if (value !== undefined) kept = [...kept, changes].slice(-KEPT);
      value = next;
      version += 1;
      whole = undefined;
      for (const listener of listeners) listener();
      return true;
    },
    since(id) {
      if (value === undefined || id === idOf(version)) return undefined;
      const text = JSON.stringify(changesSince(id));
      if (text !== undefined && text.length < LARGE) return { id: idOf(version), event: 'changes', text };
      whole ??= { id: idOf(version), event: 'whole', text: JSON.stringify(value) };
      return whole;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
