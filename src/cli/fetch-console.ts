/** Shows on standard error how files are fetched: standard output is for what `outputs` lists. */
import type { AppEvent } from '../app/runtime.ts';
import type { Renderer } from '../render/renderer.ts';
import { problemText } from '../views/cause-words.ts';
import { chooseRenderer } from './run-renderer.ts';
import { type Session, tellReading } from './session.ts';

export async function createFetchConsole(session: Session) {
  const { output, options } = session;
  // Lines of JSON would stand before the list.
  const isShown = output.mode === 'text' || options.logLevel !== undefined;
  const rendererFor = isShown ? await chooseRenderer(session) : undefined;
  let renderer: Renderer | undefined;

  function follow(event: AppEvent): void {
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other events are those of the run
    switch (event.type) {
      case 'reading':
        return tellReading(event, output);
      case 'warning':
        return output.progress(`  ! ${problemText(event)}\n`);
      case 'diagnostic':
        return output.problems([event]);
      case 'plan-decided':
        renderer = rendererFor?.(event);
        return;
      case 'unrecorded':
      case 'plan-outdated':
      case 'work-ended':
        return;
      default:
        renderer?.show(event);
    }
  }

  return {
    follow,
    close(): void {
      renderer?.close();
      renderer = undefined;
    },
  };
}
