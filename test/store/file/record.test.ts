import { describe, expect, it } from 'vitest';
import { decodeRecord, encodeRecord, whyNoObject } from '../../../src/store/file/record.ts';
import { isStateEvent } from '../../../src/log/log-record.ts';
import { seal } from '../../../src/store/file/seal.ts';
import { EVENTS } from './sample-log.ts';

const BEFORE = { seq: 6, crc: 0xabcdef };

/** Reads a text as the line that follows record 6. */
function decode(text: string) {
  return decodeRecord({ bytes: Buffer.from(text), text }, BEFORE);
}

/** The seventh line, properly sealed, with any members. */
function sealed(members: object): string {
  return seal(JSON.stringify(members).slice(0, -1), BEFORE.crc).line.trimEnd();
}

describe('a record', () => {
  it('survives its line, and the next one goes on from it', () => {
    for (const event of EVENTS) {
      const { line, end } = encodeRecord(event, 'run "1"', BEFORE);
      expect(end.seq).toBe(7);
      expect(decode(line.slice(0, -1))).toEqual({
        ok: true,
        value: { record: { seq: 7, run: 'run "1"', event }, crc: end.crc },
      });
    }
  });

  const event = { type: 'seen', at: '', address: 'media/hero/1@1' };

  it('holds nothing that moves a cursor, turns text around or cannot be seen', () => {
    const detail = 'a\u009b2J\u009d\u202eb\u2066\u200b\u2028\u2029\ufeff\ud800\u{e0041}é';
    const failed = {
      type: 'failed',
      at: '',
      address: 'upload/1',
      problem: { summary: 's', detail },
    } as const;
    const { line } = encodeRecord(failed, 'r\u202e', BEFORE);
    expect(line).toMatch(/^[\u0020-\u007eé]+\n$/);
    expect(line).toContain(
      String.raw`"a\u009b2J\u009d\u202eb\u2066\u200b\u2028\u2029\ufeff\ud800\udb40\udc41é"`,
    );
    expect(decode(line.slice(0, -1))).toMatchObject({
      value: { record: { event: failed, run: 'r\u202e' } },
    });
  });

  it.each([
    ['{"seq":7', 'it is not a complete JSON object'],
    ['7', 'it is not a complete JSON object'],
    [sealed({ seq: 8, run: 'r', event }), 'its seq is 8 where 7 follows'],
    [sealed({ run: 'r', event }), 'its seq is undefined where 7 follows'],
    // Its number comes first: a line that is in the wrong place has a wrong checksum too.
    ['{"seq":5}', 'its seq is 5 where 7 follows'],
    ['{"seq":7}', 'its checksum does not hold: it was changed, or belongs to another log'],
    [sealed({ seq: 7, event }), 'it holds no event'],
    [sealed({ seq: 7, run: 'r' }), 'it holds no event'],
    [sealed({ seq: 7, run: 'r', event: { type: 7 } }), 'it holds no event'],
    [sealed({ seq: 7, run: 'r', event: { type: 'bought' } }), { what: 'its event is of the type "bought"' }],
  ])('is none: %s', (text, error) => {
    expect(decode(text)).toEqual({ ok: false, error });
  });
});

describe('a record that is spelled otherwise than ours, and sealed', () => {
  const event = { type: 'seen', at: '', address: 'media/hero/1@1' };
  const text = JSON.stringify(event);
  const record = { seq: 7, run: 'r', event };

  it.each([
    ['other order', `{"run":"r","seq":7,"event":${text}`],
    ['a further member behind the event', `{"seq":7,"run":"r","event":${text},"note":1`],
    ['a second event: the last counts', `{"seq":7,"run":"r","event":{"type":"lost"},"event":${text}`],
    ['spaces', `{ "seq": 7, "run": "r", "event": ${text} `],
    ['spaces around the event', `{"seq":7,"run":"r","event": ${text} `],
    ['an escaped run', String.raw`{"seq":7,"run":"\u0072","event":${text}`],
  ])('counts: %s', (_, open) => {
    const { line, crc } = seal(open, BEFORE.crc);
    expect(decode(line.trimEnd())).toEqual({ ok: true, value: { record, crc } });
  });

  it.each([
    ['zeros before its number', `{"seq":07,"run":"r","event":${text}`],
    ['an event that is cut off', `{"seq":7,"run":"r","event":${text.slice(0, -1)}`],
    ['no event', '{"seq":7,"run":"r","event":'],
    ['something behind the event', `{"seq":7,"run":"r","event":${text} x`],
  ])('is none: %s', (_, open) => {
    const { line } = seal(open, BEFORE.crc);
    expect(decode(line.trimEnd())).toEqual({ ok: false, error: 'it is not a complete JSON object' });
  });
});

describe('a conflict that git left', () => {
  it.each(['<<<<<<< HEAD', '||||||| 1f3c', '=======', '>>>>>>> main', '<<<<<<<'])('is told by %s', (text) => {
    expect(whyNoObject(text)).toBe('git left a conflict here: two copies of the state went their own ways');
  });

  it.each(['<<<<<< HEAD', '<<<<<<<<', '=======x', ' =======', '>>>>>>>-', '{"a":"======="'])(
    'is not told by %s',
    (text) => {
      expect(whyNoObject(text)).toBe('it is not a complete JSON object');
    },
  );
});

describe('the events of this format', () => {
  it.each([
    'run-started',
    'intent',
    'created',
    'rejected',
    'not-sent',
    'throttled',
    'unknown',
    'uploaded',
    'updated',
    'updating',
    'accepted',
    'failed',
    'seen',
    'generated',
    'generation-failed',
    'lost',
    'downloaded',
    'moved',
    'resolved',
    'learned',
    'forgotten',
    'rebound',
    'kept',
    'run-finished',
  ])('are known: %s', (type) => {
    expect(isStateEvent({ type })).toBe(true);
  });

  it.each([[{ type: 'bought' }], [{ type: 'toString' }], [{ type: ['seen'] }], [{}], ['seen'], [null], [[]]])(
    'do not include %j',
    (value) => {
      expect(isStateEvent(value)).toBe(false);
    },
  );
});
