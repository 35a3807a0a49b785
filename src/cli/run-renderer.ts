import { kindHas } from '../model/kinds.ts';
import type { Plan, PlannedNode } from '../model/plan.ts';
import type { Renderer } from '../render/renderer.ts';
import { createLineRenderer, createProblemRenderer } from '../render/run-lines.ts';
import type { Session } from './session.ts';
import { isCi } from './terminal.ts';

/** How a run is shown: JSON lines, a log, one live block on a terminal, or plain lines. */
export async function chooseRenderer(session: Session): Promise<(plan: Plan) => Renderer> {
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
  if (!process.stderr.isTTY || isCi(env))
    return (plan) => createLineRenderer({ write, style, clock, planned: downloadsOf(plan) });
  const { createLiveRenderer } = await import('../render/run-live.ts');
  return (plan) =>
    createLiveRenderer({
      stream: process.stderr,
      style,
      clock,
      planned: downloadsOf(plan),
      updated: addressesOf(plan, ({ action }) => action === 'update'),
    });
}

/** Where posts are downloaded, all of them are. */
function downloadsOf({ nodes }: Plan): { has(): boolean } {
  const isDownloaded = nodes.some((node) => kindHas(node, 'stored', 'files'));
  return { has: () => isDownloaded };
}

function addressesOf({ nodes }: Plan, which: (node: PlannedNode) => boolean): ReadonlySet<string> {
  return new Set(nodes.filter(which).map(({ address }) => address));
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
