/** Expressions whose text comes from the combination: from its product, its concept, or its row of `include`. */
import type { SourceRef } from '../model/source.ts';
import { pathOf } from './expressions.ts';

/** One of them, and where it stands. */
export interface UsedText {
  readonly context: 'product' | 'concept' | 'with';
  readonly name: string;
  readonly places: { readonly source: SourceRef; readonly fragment: string }[];
}

/** A text under `vars:`, or a column of a table. */
export interface DeclaredText {
  readonly kind: 'product' | 'concept';
  readonly name: string;
  readonly source: SourceRef;
}

export function isTextContext(context: string): context is UsedText['context'] {
  return context === 'product' || context === 'concept' || context === 'with';
}

/** The key of a matrix whose values are the objects of this kind. */
export function objectKey(kind: string, keys: Iterable<string>): string | undefined {
  return [...keys].find((key) => key === kind || key === `${kind}s`);
}

/** By post plan and by path. */
export type UsedTexts = ReadonlyMap<string, ReadonlyMap<string, UsedText>>;

export function noteUse(all: Map<string, Map<string, UsedText>>, post: string, use: UsedText): void {
  const ofPost = all.get(post) ?? new Map<string, UsedText>();
  all.set(post, ofPost);
  const known = ofPost.get(pathOf(use));
  if (known) known.places.push(...use.places);
  else ofPost.set(pathOf(use), use);
}
