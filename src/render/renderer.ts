import type { RunEvent } from '../model/run-event.ts';

/** Shows a run. It is given every event, and is closed before anything else is printed. */
export interface Renderer {
  show(event: RunEvent): void;
  close(): void;
}
