import { toPointer } from '../util/json-pointer.ts';

/**
 * Where a value is written: `<file>#<JSON Pointer>`, the file relative to the manifest's folder (empty for the manifest
 * itself). It is plain text, so that it can be stored and sent; a line is computed only when somebody needs it.
 */
export type SourceRef = string;

/** A place in a text file; line and column count from 1, column and length in UTF-16 units. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length?: number;
}

/** The position of a reference, or of its nearest ancestor in the text. */
export type Locate = (source: SourceRef) => SourcePosition | undefined;

export function memberOf(source: SourceRef, ...path: readonly (string | number)[]): SourceRef {
  return source + toPointer(...path);
}
