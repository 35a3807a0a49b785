import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import schema from '../../schemas/state-record.schema.json' with { type: 'json' };
import type { StateEvent } from '../../src/model/state-event.ts';
import { encodeHeader } from '../../src/store/file/header.ts';
import { EVENT_TYPES } from '../../src/log/log-record.ts';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from '../store/file/sample-log.ts';
import { WHOLE_EVENTS } from './whole-events.ts';

const validate = new Ajv2020({ discriminator: true }).compile(schema);

const fits = (line: string) => validate(JSON.parse(line));

/** Of each form of an event, the types that it is of. */
const FORMS = Object.values(schema.$defs).flatMap((form): string[][] => {
  if (!('properties' in form) || !('type' in form.properties)) return [];
  const { type } = form.properties;
  return ['const' in type ? [type.const] : type.enum];
});

describe("the schema of the log's lines", () => {
  it('has every type of event, and no other', () => {
    expect(FORMS.flat().toSorted()).toEqual(Object.keys(EVENT_TYPES).toSorted());
    expect(new Set(FORMS.flat())).toEqual(new Set(WHOLE_EVENTS.map(([{ type }]) => type)));
    expect(schema.$defs.event.oneOf).toHaveLength(FORMS.length);
  });

  it('fits each line of a log', () => {
    const whole = WHOLE_EVENTS.map(([event]) => ({ at: AT, ...event }) as unknown as StateEvent);
    for (const line of linesOf([...EVENTS, ...whole])) expect([line, fits(line)]).toEqual([line, true]);
    const compacted = encodeHeader(LINEAGE, IDENTITY, { seq: 65, crc: 0xab });
    expect(fits(compacted.line)).toBe(true);
  });

  it('fits no line that says less', () => {
    const [header = '', record = ''] = linesOf(EVENTS);
    for (const [line, member] of [
      [header, 'lineage'],
      [header, 'base_url'],
      [record, 'seq'],
      [record, 'run'],
      [record, 'event'],
      [record, 'crc'],
    ] as const) {
      const { [member]: _, ...rest } = JSON.parse(line) as Record<string, unknown>;
      expect([member, fits(JSON.stringify(rest))]).toEqual([member, false]);
    }
    expect(fits(record.replace('"type":"run-started"', '"type":"flown"'))).toBe(false);
  });
});
