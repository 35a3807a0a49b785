import type { Action, Plan } from '../model/plan.ts';
import { createLineRenderer, createProblemRenderer } from '../render/run-lines.ts';
import type { Renderer } from '../render/renderer.ts';
import { realClock } from '../util/clock.ts';
import type { SharedOptions } from './options.ts';
import type { Output } from './output.ts';
import { isCi } from './terminal.ts';

/** Who shows the run: JSON lines, a log, one live block on a terminal, or plain lines. */
export async function createRenderer(plan: Plan, output: Output, options: SharedOptions): Promise<Renderer> {
  const { errorStyle: style } = output;
  if (options.logLevel) {
    const { createLogRenderer } = await import('../render/run-log.ts');
    const log = createLogRenderer(options.logLevel, process.stderr);
    return output.mode === 'json' ? both(log, jsonRenderer(output)) : log;
  }
  if (output.mode === 'json') return jsonRenderer(output);
  const actions = new Map<string, Action>(plan.nodes.map(({ address, action }) => [address, action]));
  if (output.isQuiet) return createProblemRenderer({ write: output.progress, style });
  if (!process.stderr.isTTY || isCi(process.env)) {
    return createLineRenderer({ write: output.progress, style, clock: realClock, planned: actions });
  }
  const { createLiveRenderer } = await import('../render/run-live.ts');
  return createLiveRenderer({ stream: process.stderr, style, clock: realClock, actions });
}

function jsonRenderer(output: Output): Renderer {
  return { show: (event) => output.event(event), close() {} };
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
