import type { PlanDecided } from '../app/runtime.ts';
import type { Renderer } from '../render/renderer.ts';
import { createProblemRenderer } from '../render/run-lines.ts';
import type { Session } from './session.ts';
import { whenStopped } from './signals.ts';
import { isCi, legible, showsUnicode } from './terminal.ts';

export type RendererFor = (decided: Pick<PlanDecided, 'plan' | 'pace'>) => Renderer;

/** How a run is shown: JSON lines, a log, one live block on a terminal, or plain lines. */
export async function chooseRenderer(session: Session): Promise<RendererFor> {
  const { options, output, runtime } = session;
  const { errorStyle: style, progress: write } = output;
  const { clock, env } = runtime;
  const { logLevel } = options;
  if (logLevel) {
    const { createLogRenderer } = await import('../render/run-log.ts');
    const log = () => createLogRenderer(logLevel, process.stderr, legible(process.stderr, env));
    return output.mode === 'json' ? () => both(log(), jsonRenderer(output)) : log;
  }
  if (output.mode === 'json') return () => jsonRenderer(output);
  if (output.isQuiet) return () => createProblemRenderer({ write, style });
  if (!process.stderr.isTTY || isCi(env) || env['TERM'] === 'dumb') {
    const { createLineRenderer } = await import('../render/run-plain.ts');
    return ({ plan, pace }) => createLineRenderer({ write, style, clock, plan, ...known(pace) });
  }
  const { createLiveRenderer } = await import('../render/run-live.ts');
  return ({ plan, pace }) =>
    createLiveRenderer({
      stream: process.stderr,
      style,
      isUnicode: showsUnicode(env),
      clock,
      plan,
      ...known(pace),
      whenStopped,
    });
}

/** A run that requests nothing has no limit on posts. */
function known(pace: PlanDecided['pace']) {
  return { mediaInFlight: pace?.mediaInFlight ?? Number.POSITIVE_INFINITY, usualMs: pace?.usualMs() };
}

function jsonRenderer({ event: show }: Session['output']): Renderer {
  return { show, close() {} };
}

function both(first: Renderer, second: Renderer): Renderer {
  return {
    show(event) {
      first.show(event);
      second.show(event);
    },
    close() {
      first.close();
      second.close();
    },
  };
}
