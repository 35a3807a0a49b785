import type { Problem } from './problem.ts';

/**
 * Why the intent of a create is not recorded: it may be begun after so long, a limit forbids it, or too many posts are being
 * generated that nobody waits for.
 */
export type WhyNotBegun =
  | { readonly type: 'not-now'; readonly ms: number }
  | { readonly type: 'withheld'; readonly problem: Problem }
  | { readonly type: 'no-room' };

/** Nothing was recorded, and nothing may be sent. */
export class NotBegun extends Error {
  override readonly name = 'NotBegun';
  readonly why: WhyNotBegun;

  constructor(why: WhyNotBegun) {
    super(why.type);
    this.why = why;
  }
}
