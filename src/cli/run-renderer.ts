import type { PlanDecided } from '../app/runtime.ts';
import { kindHas } from '../model/kinds.ts';
import type { Plan } from '../model/plan.ts';
import type { Renderer } from '../render/renderer.ts';
import { createLineRenderer, createProblemRenderer } from '../render/run-lines.ts';
import type { Session } from './session.ts';
import { whenStopped } from './signals.ts';
import { isCi, showsUnicode } from './terminal.ts';

export type RendererFor = (decided: Pick<PlanDecided, 'plan' | 'pace'>) => Renderer;

/** How a run is shown: JSON lines, a log, one live block on a terminal, or plain lines. */
export async function chooseRenderer(session: Session): Promise<RendererFor> {
  const { options, output, runtime } = session;
  const { errorStyle: style, progress: write } = output;
  const { clock, env } = runtime;
  const { logLevel } = options;
  if (logLevel) {
    const { createLogRenderer } = await import('../render/run-log.ts');
    const log = () => createLogRenderer(logLevel, process.stderr);
    return output.mode === 'json' ? () => both(log(), jsonRenderer(output)) : log;
  }
  if (output.mode === 'json') return () => jsonRenderer(output);
  if (output.isQuiet) return () => createProblemRenderer({ write, style });
  if (!process.stderr.isTTY || isCi(env) || env['TERM'] === 'dumb')
    return ({ plan }) => createLineRenderer({ write, style, clock, planned: downloadsOf(plan) });
  const { createLiveRenderer } = await import('../render/run-live.ts');
  return ({ plan, pace }) =>
    createLiveRenderer({
      stream: process.stderr,
      style,
      isUnicode: showsUnicode(env),
      clock,
      plan,
      mediaInFlight: pace?.mediaInFlight ?? Number.POSITIVE_INFINITY,
      usualMs: pace?.usualMs(),
      whenStopped,
    });
}

/** Where posts are downloaded, all of them are. */
function downloadsOf({ nodes }: Plan): { has(): boolean } {
  const isDownloaded = nodes.some((node) => kindHas(node, 'stored', 'files'));
  return { has: () => isDownloaded };
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
