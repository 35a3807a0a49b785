import type { Address } from '../model/address.ts';
import type { Plan } from '../model/plan.ts';
import type { RunEvent } from '../model/run-event.ts';
import type { Locate, SourceRef } from '../model/source.ts';
import type { Failure } from '../render/failure-text.ts';

/** What goes wrong in a run, with its places in the manifest. */
export interface RunFailures {
  readonly list: readonly Failure[];
  /** Remembers what failed; gives the event back, with the place of a node that has a problem. */
  take(event: RunEvent): RunEvent;
}

export function collectFailures({ nodes }: Plan, locate: Locate): RunFailures {
  const list: Failure[] = [];
  let sources: ReadonlyMap<Address, SourceRef | undefined> | undefined;
  return {
    list,
    take(event) {
      if (event.type !== 'node-finished' || !event.problem) return event;
      sources ??= new Map(nodes.map(({ address, source }) => [address, source]));
      const { address, end, problem } = event;
      const source = sources.get(address);
      if (end === 'failed' || end === 'rejected' || end === 'lost' || end === 'unknown')
        list.push({ address, end, problem, ...(source === undefined ? {} : { source }) });
      return { ...event, ...placeOf(source, locate) };
    },
  };
}

/** A place as machines get it. */
export function placeOf(source: SourceRef | undefined, locate: Locate) {
  const position = source === undefined ? undefined : locate(source);
  return position ? { file: position.file, line: position.line, column: position.column } : {};
}
