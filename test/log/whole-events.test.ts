import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { whyIncomplete } from '../../src/log/event-members.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../src/util/json.ts';
import { AT } from '../store/file/sample-log.ts';
import { WHOLE_EVENTS } from './whole-events.ts';

/** Copies of a value that lack one of its members each, by the path of that member. */
function lacking(value: Json): [path: string, copy: Json][] {
  if (isJsonArray(value)) {
    return value.flatMap((element, index) =>
      lacking(element).map(([path, copy]): [string, Json] => [`[${index}].${path}`, value.with(index, copy)]),
    );
  }
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member = null]): [string, Json][] => {
    const { [name]: _, ...rest } = value;
    const inner = lacking(member).map(([path, copy]): [string, Json] => [
      isJsonArray(member) ? name + path : `${name}.${path}`,
      { ...value, [name]: copy },
    ]);
    return [[name, rest], ...inner];
  });
}

function why(event: JsonObject): string | undefined {
  return whyIncomplete({ at: AT, ...event } as unknown as StateEvent);
}

describe('an event of the log', () => {
  it.each(WHOLE_EVENTS)('is whole: %j', (event) => {
    expect(why(event)).toBeUndefined();
  });

  it.each(WHOLE_EVENTS)('cannot be without some of its members: %j', (event, needs) => {
    const told = lacking(event)
      .filter(([path]) => path !== 'type')
      .map(([path, copy]) => [path, why(copy as JsonObject)] as const)
      .filter(([, reason]) => reason !== undefined);
    const words = (path: string) => {
      if (event.type === 'kept' && path in event) return 'has none of object, request, media, run and gone';
      const [, owner] = /^(.*concept)\.address$/.exec(path) ?? [];
      return owner === undefined ? `has no ${path}` : `has none of address and id in ${owner}`;
    };
    const expected = [...('address' in event ? ['address'] : []), ...needs].map(
      (path) => [path, `its event "${event.type}" ${words(path)}`] as const,
    );
    expect(told).toHaveLength(expected.length);
    expect(new Map(told)).toEqual(new Map(expected));
  });
});
