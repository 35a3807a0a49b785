import type { Address } from '../model/address.ts';
import { kindHas } from '../model/kinds.ts';
import type { PlannedAs, PlannedNode } from '../model/plan.ts';
import { afterLooks, type AfterLooks, type Looked, lookedBy } from './after-looks.ts';
import type { Ended } from './ended.ts';
import type { Work } from './work-queue.ts';

/** Posts that had failed and are looked for once more, and the requests that come after them. */
export interface Looks {
  /** A node has ended; where it was a look, what its request does not need any more ends as well. */
  ended(ended: Ended): void;
  /** The post of a look is being generated after all: nothing waits for it, and from now on it is polled as any post. */
  generating(look: PlannedNode): PlannedNode;
}

export function createLooks({ work, finish }: { work: Work; finish: (ended: Ended) => void }): Looks {
  const known = new Map<Address, Looked>();

  function tell(look: Address, looked: Looked): void {
    known.set(look, looked);
    for (const request of work.followers(look)) {
      const after = afterLooks(request, known);
      if (after) settle(request, after);
    }
  }

  function settle(request: PlannedNode, { request: narrowed, left }: AfterLooks): void {
    const wanted = work.dependents(request.address);
    for (const { item, end, problem } of left) {
      const node = wanted.find((each) => kindHas(each, 'stored', 'take') && each.payload.item === item);
      if (node) finish({ node, end, problem });
    }
    if (narrowed) work.replace(narrowed);
    else finish({ node: request, end: left.find(({ end }) => end === 'put-off')?.end ?? 'unchanged' });
  }

  return {
    ended(ended) {
      if (isLook(ended.node)) tell(ended.node.address, lookedBy(ended));
    },
    generating(look) {
      const { again: _, ...polled } = look as PlannedAs<'take'>;
      work.replace(polled);
      tell(look.address, { type: 'there' });
      work.release(look.address);
      return polled;
    },
  };
}

/** Whether this node only looks whether a post is there after all. */
export function isLook(node: PlannedNode): boolean {
  return kindHas(node, 'stored', 'take') && node.again !== undefined;
}

/** Whether this node polls a post that was paid for and is being generated. */
export function isPoll(node: PlannedNode): boolean {
  return kindHas(node, 'stored', 'take') && node.again === undefined;
}
