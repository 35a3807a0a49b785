import type { AmbiguousCreates, Hold } from '../model/account-news.ts';

/** What this process has in common with others that use the same account of a service. */
export interface SharedLimits {
  /** Earliest time (monotonic milliseconds) at which one more may leave; Infinity while that has to be asked first. */
  opensAt(): number;
  take(): void;
  /** Takes the next time: milliseconds until then, or undefined where nobody can say that now. */
  turn(): Promise<number | undefined>;
  /** Tells the others what was found out here. */
  hold(hold: Hold): void;
  creates(ambiguous: AmbiguousCreates): void;
}
