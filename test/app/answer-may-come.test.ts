/** `resolve --not-created` right after a run that died: another machine may have the answer still. */
import { describe, expect, it } from 'vitest';
import { whyTooEarly } from '../../src/app/answer-may-come.ts';
import { emptyState, fold } from '../../src/log/fold.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { campaignFolder, SINGLE, untilTestEnds } from '../cli/small-campaign.ts';
import { intent } from '../log/fold-events.ts';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase, nobodyIsConnected } from '../support/postgres.ts';

const BEGUN = '2026-01-01T10:00:00.000Z';
const CREATE = 'product/tote';

function after(...events: readonly StateEvent[]) {
  const state = emptyState();
  fold(state, { ...intent(CREATE), at: BEGUN });
  for (const event of events) fold(state, event);
  return state;
}

describe('a create without an answer', () => {
  const manifest = { environment: { name: 'live', baseUrl: 'https://x.example', gaps: {} } };
  const asked = { store: { silenceMs: 30_000 }, manifest };

  it('may be decided once its process would have its answer, which is told', () => {
    const early = whyTooEarly([CREATE], { ...asked, state: after(), at: '2026-01-01T10:01:59.999Z' });
    expect(early).toMatchObject({ exit: 75, problems: [{ code: 'answer-may-come' }] });
    expect(early?.problems[0]?.detail).toContain('Wait until 2026-01-01T10:02:00.000Z');
    expect(
      whyTooEarly([CREATE], { ...asked, state: after(), at: '2026-01-01T10:02:00.000Z' }),
    ).toBeUndefined();
  });

  it('may be decided at once where its process has said that none came, or cannot be there any more', () => {
    const at = BEGUN;
    const evidence = { summary: 'The service did not answer', request: 'POST /products/' };
    const told = after({ type: 'unknown', at, address: CREATE, evidence });
    expect(whyTooEarly([CREATE], { ...asked, state: told, at })).toBeUndefined();
    expect(whyTooEarly([CREATE], { ...asked, store: {}, state: after(), at })).toBeUndefined();
    expect(whyTooEarly(['product/other'], { ...asked, state: after(), at })).toBeUndefined();
    const silent = { type: 'unknown', at, address: CREATE, evidence: { summary: 'silent' } } as const;
    expect(whyTooEarly([CREATE], { ...asked, state: after(silent), at })).toBeDefined();
  });
});

describe.runIf(hasPostgres)('campaign resolve --not-created of a state in a database', () => {
  it('ends with 75 as long as an answer may come, and records nothing', async () => {
    const service = await untilTestEnds(
      startBareService({
        waits: (route) => (route === 'POST /concepts/' ? new Promise(() => undefined) : undefined),
      }),
    );
    const campaign = await campaignFolder(SINGLE, service);
    const url = await makeDatabase();
    const env = { CAMPAIGN_STATE: url };
    const apply = campaign.start(['apply', 'm.yaml'], env);
    await expect.poll(() => service.created.concepts.length).toBe(1);
    apply.process.kill('SIGKILL');
    await apply.end;
    await nobodyIsConnected(url);
    for (const what of [['concept/morning'], ['--all', '--yes']]) {
      const decided = await campaign.run(['resolve', 'm.yaml', ...what, '--not-created'], env);
      expect({ what, code: decided.code }).toEqual({ what, code: 75 });
      expect(decided.stderr).toMatch(/(concept|product)\/\w+ was begun at/);
    }
    const id = String(service.created.concepts[0]?.id);
    expect(await campaign.run(['resolve', 'm.yaml', 'concept/morning', '--id', id], env)).toMatchObject({
      code: 0,
    });
  });
});
