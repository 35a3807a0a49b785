/**
 * The live page beside a run, in a thread of its own: reading a large state takes long, and nothing of the page may hold up
 * or end a run that pays for posts. It follows the files as `campaign ui` does.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { CampaignSource } from '../app/campaign.ts';
import { createRuntime } from '../app/create-runtime.ts';
import type { StopSignal } from '../engine/stopping.ts';
import { openLivePage } from './live-page.ts';
import type { ThreadMessage } from './page-beside.ts';

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
const tell = (message: ThreadMessage) => parentPort?.postMessage(message);

/** The run tells its warnings itself. */
const runtime = createRuntime({ emit: () => undefined });
const page = await openLivePage(runtime, workerData as CampaignSource, 0);
if (page.ok) {
  tell({ type: 'open', link: page.value.link });
  await page.value.follow(untilTold());
  tell({ type: 'closed' });
} else tell({ type: 'refused' });

/** The run says when it is over. */
function untilTold(): StopSignal {
  let level: StopSignal['level'] = 'run';
  return {
    get level() {
      return level;
    },
    onChange(listener) {
      const stop = () => {
        level = 'drain';
        parentPort?.unref();
        listener();
      };
      parentPort?.on('message', stop);
      return () => parentPort?.off('message', stop);
    },
  };
}
