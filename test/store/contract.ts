/** What every store has to hold, whatever keeps the state: run over each implementation by contract.test.ts. */
import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import type { OpenState, StateIdentity, Store, WritableState, Writing } from '../../src/store/store.ts';
import { realClock } from '../../src/util/clock.ts';
import { intent } from '../log/fold-events.ts';
import { AT, EVENTS, IDENTITY } from './file/sample-log.ts';

/** Opens a place, which is new at first, as often as wanted: each time as another process would. */
export type OpenPlace = (identity?: StateIdentity) => Store;

const RUN: Writing = {
  lockTimeoutMs: 0,
  clock: realClock,
  runId: 'run-1',
  command: 'campaign apply',
  newLineage: () => 'lineage-1',
};

const BEGIN: StateEvent = {
  type: 'run-started',
  at: AT,
  command: 'apply',
  version: '0.1.0',
  manifest: 'campaign.yaml',
  by: 'anna@studio',
};
const FINISHED = EVENTS.filter(({ type }) => type === 'run-finished');
const INTENT: StateEvent = { ...intent('product/tote'), at: AT };
const CREATED: StateEvent = { type: 'created', at: AT, address: 'product/tote', result: { id: 'p-1' } };
const learned = (name: string): StateEvent => ({ type: 'learned', at: AT, name, value: 'x' });

async function written(store: Store, run: Partial<Writing> = {}): Promise<WritableState> {
  const opened = await store.write({ ...RUN, ...run });
  if (!opened.ok) throw new Error(opened.error.detail);
  return opened.value;
}

async function seen(store: Store): Promise<OpenState> {
  const opened = await store.read();
  if (!opened.ok) throw new Error(opened.error.detail);
  return opened.value;
}

export function storeContract(name: string, makePlace: () => Promise<OpenPlace>): void {
  describe(`a store: ${name}`, () => {
    it('is empty before anything is recorded, and looking at it or opening it changes nothing', async () => {
      const open = await makePlace();
      const nothing = {
        known: 0,
        header: undefined,
        runs: [],
        version: '',
        seq: 0,
        unended: undefined,
        warnings: [],
      };
      expect(await seen(open())).toMatchObject({ ...nothing, diverged: undefined });
      const state = await written(open(), { begin: BEGIN });
      expect(state).toMatchObject({ known: 0, version: '', header: { ...IDENTITY, lineage: 'lineage-1' } });
      await state.close();
      expect(await seen(open())).toMatchObject(nothing);
    });

    it('makes an event durable, then folds it, then says so', async () => {
      const open = await makePlace();
      const state = await written(open());
      await state.recorder.append([INTENT, CREATED]);
      expect(state.recorder.state.objects.get('product/tote')).toMatchObject({ status: 'done' });
      // Another process sees it while this one goes on.
      const other = await seen(open());
      expect(other.state.objects.get('product/tote')).toMatchObject({
        status: 'done',
        result: { id: 'p-1' },
      });
      expect(other).toMatchObject({ known: 1, header: { ...IDENTITY, lineage: 'lineage-1', seq: 0 } });
      await state.close();
    });

    it('keeps the order of the calls, also of those that come at once', async () => {
      const open = await makePlace();
      const state = await written(open());
      await Promise.all(['a', 'b', 'c'].map((one) => state.recorder.append([learned(one), INTENT, CREATED])));
      await state.close();
      expect([...(await seen(open())).state.learned.keys()]).toEqual(['a', 'b', 'c']);
    });

    it('goes on where the last run ended: the same lineage, another version, one more run', async () => {
      const open = await makePlace();
      const versions: string[] = [];
      for (const [index, runId] of ['run-1', 'run-2'].entries()) {
        const state = await written(open(), { begin: BEGIN, runId, newLineage: () => `lineage-${index}` });
        await state.recorder.append([learned(runId), ...FINISHED]);
        await state.close('compact');
        const now = await seen(open());
        expect(now.header?.lineage).toBe('lineage-0');
        expect(now.runs.map(({ run }) => run)).toEqual(['run-1', 'run-2'].slice(0, index + 1));
        expect(now.unended).toBeUndefined();
        versions.push(now.version);
      }
      expect(versions[0]).not.toBe(versions[1]);
      expect((await seen(open())).version).toBe(versions[1]);
    });

    it('is read again and again by one reader as by one that comes anew', async () => {
      const open = await makePlace();
      let shown: number[] = [];
      const read = open().reader(() => {
        shown = [];
        return ({ seq }) => shown.push(seq);
      });
      const plainReader = open().reader();
      const same = async () => {
        const fresh: number[] = [];
        const anew = await open().read(({ seq }) => fresh.push(seq));
        expect(await read()).toEqual(anew);
        expect(await plainReader()).toEqual(anew);
        expect(shown).toEqual(fresh);
        return fresh.length;
      };
      expect(await same()).toBe(0);
      const state = await written(open(), { begin: BEGIN });
      await state.begin();
      expect(await same()).toBe(0);
      for (const [index, events] of [[learned('a'), INTENT], [CREATED], []].entries()) {
        await state.recorder.append(events);
        expect(await same()).toBe([3, 4, 4][index]);
      }
      await state.recorder.append(Array.from({ length: 300 }, () => learned('b')));
      await same();
      await state.recorder.append(FINISHED);
      // It is compacted, where the store does that.
      await state.close('compact');
      await same();
      const next = await written(open(), { begin: BEGIN, runId: 'run-2' });
      await next.recorder.append([learned('c')]);
      await same();
      await next.close();
      await same();
    });

    it('says which run has no end', async () => {
      const open = await makePlace();
      const state = await written(open(), { begin: BEGIN });
      await state.recorder.append([INTENT]);
      await state.close();
      expect((await seen(open())).unended).toMatchObject({ run: 'run-1', command: 'apply' });
      expect((await seen(open())).state.objects.get('product/tote')).toMatchObject({ status: 'unknown' });
    });

    it('writes what was noted with the next events, or when it is closed', async () => {
      const open = await makePlace();
      const state = await written(open(), { begin: BEGIN });
      state.recorder.note([learned('a')]);
      expect((await seen(open())).state.learned.size).toBe(0);
      await state.recorder.append([learned('b')]);
      state.recorder.note([learned('c')]);
      await state.close();
      const { state: folded, runs } = await seen(open());
      expect([...folded.learned.keys()]).toEqual(['a', 'b', 'c']);
      expect(runs).toHaveLength(1);
    });

    it('takes of a result only what the log may hold', async () => {
      const open = await makePlace();
      const state = await written(open());
      await state.recorder.append([
        INTENT,
        { ...CREATED, result: { id: 'p-1', secret: 'x' } } as unknown as StateEvent,
      ]);
      await state.close();
      expect((await seen(open())).state.objects.get('product/tote')?.result).toEqual({ id: 'p-1' });
    });

    it('tells who follows what is recorded, once it is folded', async () => {
      const state = await written((await makePlace())());
      const told: string[][] = [];
      const stop = state.follow((events) => {
        expect(state.recorder.state.learned.size).toBe(told.length + 1);
        told.push(events.map(({ type }) => type));
      });
      await state.recorder.append([learned('a'), INTENT]);
      await state.recorder.append([learned('b')]);
      stop();
      await state.recorder.append([learned('c')]);
      await state.close();
      expect(told).toEqual([['learned', 'intent'], ['learned']]);
    });

    it('has one writer at a time, waits for the other as long as it is told to, and names it', async () => {
      const open = await makePlace();
      const first = await written(open(), { command: 'campaign wait' });
      expect(await open().holder()).toContain('campaign wait');
      expect(await open().write(RUN)).toMatchObject({ ok: false, error: { code: 'state-locked', exit: 75 } });
      const second = open().write({ ...RUN, lockTimeoutMs: 10_000 });
      await first.close();
      const opened = await second;
      expect(opened.ok).toBe(true);
      if (opened.ok) await opened.value.close();
      expect(await open().holder()).toBeUndefined();
      expect(await open().excludesOthers()).toBe(true);
    });

    it('can be held, which keeps writers out and writes nothing of it', async () => {
      const open = await makePlace();
      const state = await written(open());
      await state.recorder.append([INTENT, CREATED]);
      await state.close();
      const before = await seen(open());
      const held = await open().hold({ lockTimeoutMs: 0, clock: realClock, command: 'campaign outputs' });
      expect(await open().holder()).toContain('campaign outputs');
      const locked = { ok: false, error: { code: 'state-locked', exit: 75 } };
      expect(await open().write(RUN)).toMatchObject(locked);
      expect(await open().hold(RUN)).toMatchObject(locked);
      expect((await seen(open())).version).toBe(before.version);
      if (held.ok) await held.value.release();
      expect(await open().holder()).toBeUndefined();
      await (await written(open())).close();
      expect((await seen(open())).version).toBe(before.version);
    });

    it('is refused for another campaign, environment or service, until it is bound to that', async () => {
      const open = await makePlace();
      const state = await written(open());
      await state.recorder.append([INTENT, CREATED]);
      await state.close();
      const other = { campaign: 'other', environment: 'live', baseUrl: 'https://live.example.com' };
      for (const key of ['campaign', 'environment', 'baseUrl'] as const) {
        const store = open({ ...IDENTITY, [key]: other[key] });
        const problem = { ok: false, error: { code: 'state-foreign', exit: 76 } };
        expect([await store.read(), await store.write(RUN)]).toMatchObject([problem, problem]);
      }
      const allowed = await written(open(other), { allow: ['foreign'] });
      expect(allowed.header).toMatchObject(IDENTITY);
      const { campaign, environment, baseUrl: base_url } = other;
      await allowed.recorder.append([{ type: 'rebound', at: AT, campaign, environment, base_url }]);
      await allowed.close();
      expect(await seen(open(other))).toMatchObject({ known: 1, header: other });
      expect(await open().read()).toMatchObject({ ok: false });
    });

    it('can be begun before anything is recorded', async () => {
      const open = await makePlace();
      const state = await written(open());
      expect(await state.begin()).toBeUndefined();
      expect(await seen(open())).toMatchObject({ known: 0, seq: 0, header: { lineage: 'lineage-1' } });
      await state.recorder.append([learned('a')]);
      await state.close();
      expect((await seen(open())).state.learned.size).toBe(1);
    });
  });
}
