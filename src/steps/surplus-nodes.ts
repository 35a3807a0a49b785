import type { MediaPayload } from '../model/payload.ts';
import { outputPath } from '../model/output-path.ts';
import type { PlannedNode } from '../model/plan.ts';
import { postTypeOf } from '../model/post-type.ts';
import type { RequestResult } from '../model/result.ts';
import { takeNodes } from '../model/take-nodes.ts';
import type { StepIo } from './step-io.ts';

/** Surplus posts were paid for, too: they are polled and downloaded. */
export function surplusNodes(
  { items, surplus = [] }: Pick<RequestResult, 'items' | 'surplus'>,
  { action, ...made }: Pick<MediaPayload, 'post' | 'take' | 'request'> & Pick<PlannedNode, 'action'>,
  outputs: StepIo['outputs'],
): PlannedNode[] {
  const { post, take } = made;
  return surplus.flatMap((item) => {
    const postType = postTypeOf(items[item]?.['post_type']);
    return takeNodes({
      action,
      reasons: [{ summary: 'made by the service beyond what was asked' }],
      take: { ...made, item, requestedAs: item },
      poll: { seen: false },
      download: outputs && { path: outputPath(outputs, { post, item, postType, take }), older: [] },
    });
  });
}
