import type { SourceRef } from '../model/source.ts';
import { isUuid } from '../util/id-key.ts';
import { someOf } from '../util/did-you-mean.ts';
import type { KeyOrId } from './manifest.ts';
import type { Problems } from '../document/problems.ts';

/** The keys that references may name. `complete`: false if some could not be read; then none is unknown. */
export interface KnownKeys {
  readonly kind: 'product' | 'concept';
  readonly keys: ReadonlySet<string>;
  readonly complete: boolean;
}

export function resolveReference(
  text: string,
  { known, source, problems }: { known: KnownKeys; source: () => SourceRef; problems: Problems },
): KeyOrId | undefined {
  if (known.keys.has(text)) return { key: text };
  if (isUuid(text)) return { id: text.toLowerCase() };
  if (known.complete && !text.includes('${{')) {
    const { kind, keys } = known;
    const hint = problems.didYouMean(text, () => keys) || advice(text, known);
    const detail = `There is no ${kind} "${text}" in this manifest.${hint}`;
    problems.add({ code: `unknown-${kind}`, detail, source: source() });
  }
  return undefined;
}

function advice(text: string, { kind, keys }: KnownKeys): string {
  if (/^[0-9a-f-]{24,48}$/i.test(text))
    return ` If it is an id, it must have 32 hexadecimal digits in groups of 8, 4, 4, 4 and 12.`;
  if (keys.size > 0) return ` Known ${kind}s: ${someOf(keys)}.`;
  const where = kind === 'product' ? '`products:` or `product_folders:`' : '`concepts:`';
  return ` There are none yet: write it under ${where}.`;
}
