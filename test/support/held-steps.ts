import type { Address } from '../../src/model/address.ts';
import { KINDS } from '../../src/model/kinds.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { Job, Step, Steps } from '../../src/model/step.ts';

/** An attempt that waits for the test to answer it. */
export interface HeldJob {
  readonly job: Job;
  readonly signal: AbortSignal;
  /** What it asked for came; what follows is work on this machine. */
  answered(): void;
  respond(facts: Facts): void;
  crash(error: Error): void;
}

export interface HeldSteps {
  readonly steps: Steps;
  /** Every attempt that was started, in order. */
  readonly started: readonly Address[];
  /** The oldest attempt of this node that no one asked for yet; waits for it. */
  next(address: Address): Promise<HeldJob>;
  /** Addresses of the attempts that wait for an answer, sorted. */
  held(): readonly Address[];
}

/** Steps whose every attempt is answered by hand. */
export function createHeldSteps(): HeldSteps {
  const started: Address[] = [];
  const open = new Set<HeldJob>();
  const unclaimed = new Map<Address, HeldJob[]>();
  const waiting = new Map<Address, ((job: HeldJob) => void)[]>();

  function run(job: Job, signal: AbortSignal, answered = () => {}): Promise<Facts> {
    const { address } = job.node;
    return new Promise((resolve, reject) => {
      const held: HeldJob = {
        job,
        signal,
        answered,
        respond(facts) {
          open.delete(held);
          resolve(facts);
        },
        crash(error) {
          open.delete(held);
          reject(error);
        },
      };
      started.push(address);
      open.add(held);
      const claim = waiting.get(address)?.shift();
      if (claim) claim(held);
      else unclaimed.set(address, [...(unclaimed.get(address) ?? []), held]);
    });
  }

  return {
    steps: stepsOf(run),
    started,
    next(address) {
      const held = unclaimed.get(address)?.shift();
      if (held) return Promise.resolve(held);
      return new Promise((resolve) => {
        waiting.set(address, [...(waiting.get(address) ?? []), resolve]);
      });
    },
    held: () => [...open].map(({ job }) => job.node.address).sort(),
  };
}

/** Steps that are all one function. */
export function stepsOf(run: Step['run']): Steps {
  return Object.fromEntries(Object.keys(KINDS).map((kind) => [kind, { run }])) as unknown as Steps;
}
