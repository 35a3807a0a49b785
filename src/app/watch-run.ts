import type { Address } from '../model/address.ts';
import type { Failure } from '../model/failure.ts';
import { KINDS } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { NodeEnd, RunEvent, UnverifiedFile } from '../model/run-event.ts';
import type { Locate, SourceRef } from '../model/source.ts';

interface Failed {
  readonly failure: Failure;
  readonly place: number;
}

/** What the events of a run add up to, besides how each node ended; the same, whichever answer came first. */
export function watchRun(
  { nodes }: Plan,
  {
    locate,
    naming,
  }: {
    locate: Locate;
    naming: (problem: Problem, of: { readonly address: Address; readonly end: NodeEnd }) => Problem;
  },
) {
  const seen = { files: 0, causes: new Set<Problem['cause']>() };
  /** Of a run of several processes two may tell of one node. */
  const brought = new Set<Address>();
  /** The last word counts: in a run of several processes an answer may come late. */
  const failed = new Map<Address, Failed>();
  const unverified: UnverifiedFile[] = [];
  const times: string[] = [];
  const late: string[] = [];

  function take(event: RunEvent): RunEvent {
    if (event.type !== 'node-finished') return event;
    const { kind, address, end } = event;
    failed.delete(address);
    if (event.files && !brought.has(address)) {
      brought.add(address);
      seen.files += event.files.length;
      unverified.push(...(event.unverified ?? []));
    }
    // A photo that cannot be read is a failure like others; an output folder that cannot be written is not.
    if (KINDS[kind].localFiles !== 'reads' || event.problem?.cause !== 'disk')
      seen.causes.add(event.problem?.cause);
    if (!event.problem) return event;
    const problem = naming(event.problem, { address, end });
    if (problem.retry_at !== undefined) times.push(problem.retry_at);
    if (problem.cause === 'media-timeout') late.push(address);
    // What came up during the run stands behind what was planned.
    const { node, place = Number.POSITIVE_INFINITY } = nodes.placed(address) ?? {};
    const source = node?.source;
    if (end === 'failed' || end === 'rejected' || end === 'lost' || end === 'unknown') {
      const failure = { address, end, problem, ...(source === undefined ? {} : { source }) };
      failed.set(address, { failure, place });
    }
    return { ...event, problem, ...placeOf(source, locate) };
  }

  return {
    take,
    seen,
    told: () => ({
      failures: [...failed.values()].toSorted(inPlanOrder).map(({ failure }) => failure),
      unverified: unverified.sort((a, b) => (a.path < b.path ? -1 : 1)),
      retryAt: times.sort().at(-1),
      late: late.sort().at(0),
    }),
  };
}

function inPlanOrder(a: Failed, b: Failed): number {
  if (a.place !== b.place) return a.place < b.place ? -1 : 1;
  return a.failure.address < b.failure.address ? -1 : 1;
}

export function placeOf(source: SourceRef | undefined, locate: Locate) {
  const position = source === undefined ? undefined : locate(source);
  return position ? { file: position.file, line: position.line, column: position.column } : {};
}
