import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'vitest';

export const WORKER_SCHEMA = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../schemas/worker-event.schema.json'), 'utf8'),
) as { oneOf: { properties: { kinds?: { items: { enum: string[] } } } }[] };
const isWorkerEvent = new Ajv2020({ allErrors: true }).compile(WORKER_SCHEMA);

/** What `campaign worker --json` has printed; each line fits its schema. */
export function eventsOf(stdout: string): Record<string, unknown>[] {
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  for (const event of events)
    expect({ event, valid: isWorkerEvent(event), errors: isWorkerEvent.errors }).toMatchObject({
      valid: true,
    });
  return events;
}
