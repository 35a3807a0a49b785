import { afterEach, describe, expect, it } from 'vitest';
import type { Fault } from '../../src/emulator/fault-rules/fault-rule.ts';
import { startRig, type Rig } from './harness.ts';
import { headerOf, sendRaw, statusOf } from './raw-client.ts';

const CREATE = {
  method: 'POST',
  path: '/concepts/',
  json: { name: 'Morning', description: 'Soft side light' },
};

let rig: Rig | undefined;
afterEach(async () => {
  await rig?.close();
  rig = undefined;
});

/** One create of a concept that meets this fault. */
async function create(fault: Fault) {
  rig = await startRig({ orders: [{ on: 'POST /concepts/', do: fault }] });
  const answer = await sendRaw(rig, CREATE);
  return { answer, made: rig.ledger.entries(), call: rig.emulator.calls.at(-1) };
}

describe('a cut', () => {
  it.each([
    ['before', undefined, 'fin', 0],
    ['before', true, 'reset', 0],
    ['after', undefined, 'fin', 1],
    ['after', true, 'reset', 1],
  ] as const)('%s the effect, reset %s, ends with %s', async (effect, reset, end, effects) => {
    const { answer, made, call } = await create({ fault: 'cut', effect, ...(reset && { reset }) });
    expect([answer.head, answer.body.length, answer.end]).toEqual(['', 0, end]);
    expect(made).toHaveLength(effects);
    expect(call).toMatchObject({ route: 'POST /concepts/', status: 'cut', played: 'cut' });
  });
});

describe('half a body', () => {
  it.each([
    ['declared', /^\d+$/, undefined],
    ['chunked', undefined, 'chunked'],
    ['none', undefined, undefined],
  ] as const)('with its length %s', async (length, declared, encoding) => {
    const { answer, made, call } = await create({ fault: 'half-body', length });
    expect([statusOf(answer), answer.end]).toEqual([201, 'fin']);
    const contentLength = headerOf(answer, 'content-length');
    if (declared === undefined) expect(contentLength).toBeUndefined();
    else expect(Number(contentLength)).toBeGreaterThan(answer.body.length);
    expect(headerOf(answer, 'transfer-encoding')).toBe(encoding);
    expect(headerOf(answer, 'date')).toMatch(/GMT$/);
    const text = answer.body.toString();
    // A whole chunk came, but not the one that says it is the last.
    expect(text).toMatch(
      encoding === undefined ? /^\{"message":"[^}]*$/ : /^[0-9a-f]+\r\n\{"message":"[^}]*\r\n$/,
    );
    expect(made).toHaveLength(1);
    expect(call).toMatchObject({ status: 201, played: 'half-body' });
  });
});

describe('silence', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('%s the effect lasts until the emulator ends', async (effect, effects) => {
    const orders = [{ on: 'POST /concepts/', do: { fault: 'silence', effect } }] as const;
    const silent = await startRig({ orders });
    const answer = sendRaw(silent, CREATE);
    // The emulator goes on with others meanwhile.
    while (silent.emulator.calls.every(({ played }) => played === undefined))
      expect((await silent.call('GET', '/products/x/')).status).toBe(404);
    while (silent.ledger.entries().length < effects) await silent.call('GET', '/products/x/');
    expect(silent.emulator.calls.find(({ played }) => played === 'silence')?.status).toBeUndefined();
    await silent.close();
    expect(await answer).toMatchObject({ head: '', body: Buffer.alloc(0) });
    expect(silent.ledger.entries()).toHaveLength(effects);
  });
});
