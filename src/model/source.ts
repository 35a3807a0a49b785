import { toPointer } from '../util/json-pointer.ts';

/**
 * Where a value was written: `<file>#<JSON Pointer>`, the file relative to the manifest's folder (empty for the
 * manifest itself). Plain text, so that it crosses every seam; turned into a line only when someone reads it.
 */
export type SourceRef = string;

/** A place in a text file; line and column count from 1, column and length in UTF-16 units. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** Finds the place of a reference, or of its nearest written ancestor. */
export type Locate = (source: SourceRef) => SourcePosition | undefined;

/** The reference to a member below another one. */
export function memberOf(source: SourceRef, ...path: readonly (string | number)[]): SourceRef {
  return source + toPointer(...path);
}
