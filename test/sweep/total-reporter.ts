import type { Reporter } from 'vitest/node';

/** Of all dimensions of a run of the tests: what was visited, in which unit, and how much of it failed. */
interface Total {
  visited: number;
  failed: number;
}

const LINE = /^sweep: .*: visited (\d+) ([a-z ]+), (\d+) failed/gm;

/** Adds up what the sweep says (dimension.ts), and fails where fewer points were visited than there have to be. */
export class TotalReporter implements Reporter {
  readonly #least: Readonly<Record<string, number>>;
  readonly #totals = new Map<string, Total>();

  /** `least`: by unit, how many. */
  constructor(least: Readonly<Record<string, number>> = {}) {
    this.#least = least;
  }

  onUserConsoleLog({ content }: { readonly content: string }): void {
    for (const [, visited, unit = '', failed] of content.matchAll(LINE)) {
      const total = this.#totals.get(unit) ?? { visited: 0, failed: 0 };
      this.#totals.set(unit, {
        visited: total.visited + Number(visited),
        failed: total.failed + Number(failed),
      });
    }
  }

  onTestRunEnd(): void {
    for (const [unit, { visited, failed }] of this.#totals)
      console.log(`sweep: visited ${visited} ${unit} in all, ${failed} failed`);
    for (const [unit, least] of Object.entries(this.#least)) {
      if ((this.#totals.get(unit)?.visited ?? 0) >= least) continue;
      console.error(`sweep: fewer than ${least} ${unit}`);
      process.exitCode = 1;
    }
  }
}
