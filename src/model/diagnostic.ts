import type { SourcePosition } from './source.ts';

/**
 * One problem of the user's input. `summary` is short and constant per code; `detail` says what is wrong here, why
 * it matters and how to fix it. One cause, one diagnostic.
 */
export interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Kebab-case, stable: scripts depend on it. */
  readonly code: string;
  readonly summary: string;
  readonly detail: string;
  readonly position?: SourcePosition;
  /** The text of the line that `position` names, without its line end. */
  readonly sourceLine?: string;
}
