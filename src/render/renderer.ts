import type { RunEvent } from '../model/run-event.ts';

/** Shows a run to someone; fed with every event, closed before anything else is printed. */
export interface Renderer {
  show(event: RunEvent): void;
  close(): void;
}
