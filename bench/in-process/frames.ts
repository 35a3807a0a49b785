/** Ten seconds of the live block, ten frames a second, while 10,000 posts are generated and one in ten is tried again. */
import { EventEmitter } from 'node:events';
import { PlannedNodes, type Plan } from '../../src/model/plan.ts';
import type { RunEvent } from '../../src/model/run-event.ts';
import { createLiveRenderer } from '../../src/render/run-live.ts';
import { createStyle } from '../../src/render/style.ts';
import type { createManualClock } from '../../test/support/manual-clock.ts';
import { downloadNode, mediaNode } from '../../test/support/planned-nodes.ts';

const POSTS = 10_000;
const FRAMES = 100;
const FRAME_MS = 100;

export async function drawFrames(clock: ReturnType<typeof createManualClock>): Promise<void> {
  const names = Array.from({ length: POSTS }, (_, n) => `grid/night+mug-${n}+1x1`);
  const nodes = new PlannedNodes(names.flatMap((post) => [mediaNode(post, '1'), downloadNode(post, '1')]));
  let written = 0;
  const write = (text: string) => {
    written += text.length;
    return true;
  };
  const stream = Object.assign(new EventEmitter(), { columns: 120, rows: 50, isTTY: true, write });
  const renderer = createLiveRenderer({
    stream: stream as unknown as NodeJS.WriteStream,
    style: createStyle({ isTTY: true }, 'auto'),
    isUnicode: true,
    clock,
    plan: { nodes } as unknown as Plan,
    mediaInFlight: POSTS,
    usualMs: 45_000,
  });
  const of = (post: string) => ({ address: `media/${post}/1@1`, kind: 'media' }) as const;
  const problem = { summary: 'The service does not answer' };
  for (const [n, post] of names.entries()) {
    renderer.show({ ...of(post), type: 'node-started', attempt: 1 });
    if (n % 10 === 0)
      renderer.show({ ...of(post), type: 'node-waiting', why: 'retry', ms: 600_000, problem });
  }
  const done = { type: 'node-finished', action: 'create', end: 'done', ms: 45_000 } as const;
  for (let frame = 0; frame < FRAMES; frame += 1) {
    renderer.show({ ...of(names[frame] ?? ''), ...done } satisfies RunEvent);
    await clock.advance(FRAME_MS);
  }
  renderer.close();
  if (written === 0) throw new Error('nothing was drawn');
}
