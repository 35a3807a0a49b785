import type { Address } from '../model/address.ts';
import type { Failure } from '../model/failure.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Locate, SourceRef } from '../model/source.ts';

/** What goes wrong in a run, with its places in the manifest. */
export interface RunFailures {
  /** What has failed until now, in the order of the plan, whichever answer came first. */
  list(): readonly Failure[];
  /** Remembers what failed; gives the event back, with the place of a node that has a problem. */
  take(event: RunEvent): RunEvent;
}

interface Planned {
  readonly source: SourceRef | undefined;
  readonly place: number;
}

export function collectFailures(
  { nodes }: Plan,
  { locate, naming }: { locate: Locate; naming: (problem: Problem, address: Address) => Problem },
): RunFailures {
  const failed: Failure[] = [];
  let known: ReadonlyMap<Address, Planned> | undefined;
  const planned = (address: Address) => {
    known ??= new Map(nodes.map((node, place) => [node.address, { source: node.source, place }]));
    return known.get(address);
  };
  // What came up during the run stands behind what was planned.
  const placeOfNode = ({ address }: Failure) => planned(address)?.place ?? nodes.length;
  return {
    list: () =>
      failed.toSorted((a, b) => placeOfNode(a) - placeOfNode(b) || (a.address < b.address ? -1 : 1)),
    take(event) {
      if (event.type !== 'node-finished' || !event.problem) return event;
      const { address, end } = event;
      const problem = naming(event.problem, address);
      const source = planned(address)?.source;
      if (end === 'failed' || end === 'rejected' || end === 'lost' || end === 'unknown')
        failed.push({ address, end, problem, ...(source === undefined ? {} : { source }) });
      return { ...event, problem, ...placeOf(source, locate) };
    },
  };
}

/** A place as machines get it. */
export function placeOf(source: SourceRef | undefined, locate: Locate) {
  const position = source === undefined ? undefined : locate(source);
  return position ? { file: position.file, line: position.line, column: position.column } : {};
}
