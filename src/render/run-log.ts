import { pino } from 'pino';
import { PinoPretty } from 'pino-pretty';
import type { RunEvent } from '../model/run-event.ts';
import { inertText } from '../util/inert-text.ts';
import type { Renderer } from './renderer.ts';

/** For `--log-level`: every event as a log line, readable on a terminal, JSON elsewhere. */
export function createLogRenderer(
  level: string,
  stream: { readonly fd: number; readonly isTTY?: boolean },
  legible: (text: string) => string,
): Renderer {
  // Synchronous, so that no line is lost when the process ends.
  const destination = stream.isTTY
    ? PinoPretty({ sync: true, destination: stream.fd })
    : pino.destination({ fd: stream.fd, sync: true });
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
  return {
    show(event) {
      const { type, ...fields } = event;
      logger[levelOf(event)](shown(fields, legible), type);
    },
    close: () => logger.flush(),
  };
}

/** Sanitizes every text, because pino-pretty prints texts as they are. */
function shown(fields: object, legible: (text: string) => string): object {
  const sanitize = (_: string, value: unknown) =>
    typeof value === 'string' ? legible(inertText(value)) : value;
  return JSON.parse(JSON.stringify(fields, sanitize)) as object;
}

function levelOf(event: RunEvent): 'debug' | 'info' | 'warn' | 'error' {
  const { type } = event;
  if (type === 'node-started' || (type === 'node-waiting' && event.why === 'poll')) return 'debug';
  if (type === 'node-finished') return event.end === 'done' || event.end === 'pending' ? 'info' : 'error';
  return type === 'node-waiting' || type === 'run-stopping' || type === 'warning' ? 'warn' : 'info';
}
