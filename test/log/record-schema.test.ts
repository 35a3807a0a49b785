import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import schema from '../../schemas/state-record.schema.json' with { type: 'json' };
import type { StateEvent } from '../../src/model/state-event.ts';
import { encodeHeader } from '../../src/store/file/header.ts';
import { EVENT_TYPES } from '../../src/log/generated/event-types.js';
import { AT, EVENTS, IDENTITY, LINEAGE, linesOf } from '../store/file/sample-log.ts';
import { WHOLE_EVENTS } from './whole-events.ts';

const validate = new Ajv2020({ discriminator: true, allowUnionTypes: true }).compile(schema);

const fits = (line: string) => validate(JSON.parse(line));

/** Of each form of an event, the types that it is of. */
const FORMS = schema.$defs.event.oneOf.map(({ $ref }): string[] => {
  const { type } = definition($ref).properties;
  return 'const' in type ? [type.const] : type.enum;
});

function definition($ref: string) {
  const name = $ref.replace('#/$defs/', '');
  return (schema.$defs as unknown as Record<string, Form>)[name] as Form;
}

interface Form {
  readonly properties: { readonly type: { readonly const: string } | { readonly enum: string[] } };
}

describe("the schema of the log's lines", () => {
  it('has every type of event, and no other', () => {
    expect(FORMS.flat().toSorted()).toEqual([...EVENT_TYPES].toSorted());
    expect(new Set(FORMS.flat())).toEqual(new Set(WHOLE_EVENTS.map(([{ type }]) => type)));
  });

  it('has each event of a node among those of a kind of node', () => {
    const { objectEvent, requestEvent, mediaEvent, downloadEvent } = schema.$defs;
    const ofKinds = [objectEvent, requestEvent, mediaEvent, downloadEvent].flatMap(({ oneOf }) => oneOf);
    const about = schema.$defs.event.oneOf.filter(({ $ref }) => 'address' in definition($ref).properties);
    expect(new Set([...ofKinds.map(({ $ref }) => $ref), '#/$defs/forgotten'])).toEqual(
      new Set(about.map(({ $ref }) => $ref)),
    );
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
