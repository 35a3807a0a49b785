import type { SourceRef } from '../model/source.ts';
import { someOf } from './did-you-mean.ts';
import type { KeyOrId } from './manifest.ts';
import type { Problems } from './problems.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The keys that references may name, and whether these are all: where some could not be read, nothing is unknown. */
export interface KnownKeys {
  readonly kind: 'product' | 'concept';
  readonly keys: ReadonlySet<string>;
  readonly complete: boolean;
}

/** Resolves a reference: a key of this manifest, else a UUID, else a problem. */
export function resolveReference(
  text: string,
  { known, source, problems }: { known: KnownKeys; source: () => SourceRef; problems: Problems },
): KeyOrId | undefined {
  if (known.keys.has(text)) return { key: text };
  if (UUID.test(text)) return { id: text.toLowerCase() };
  if (known.complete && !text.includes('${{')) {
    const { kind, keys } = known;
    const hint = problems.didYouMean(text, () => keys) || ` Known ${kind}s: ${someOf(keys)}.`;
    const detail = `There is no ${kind} "${text}" in this manifest.${hint}`;
    problems.add({ code: `unknown-${kind}`, detail, source: source() });
  }
  return undefined;
}
