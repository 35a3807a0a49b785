/** A run that two processes share, at the level of the store. */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { StateEvent } from '../../src/model/state-event.ts';
import { type Database, databaseAt } from '../../src/store/postgres/database-url.ts';
import { createPostgresStore } from '../../src/store/postgres/postgres-store.ts';
import { takePart } from '../../src/store/postgres/share-run.ts';
import type { SharedRun, Sharing } from '../../src/store/shared-run.ts';
import { type Clock, realClock } from '../../src/util/clock.ts';
import { intent } from '../log/fold-events.ts';
import { AT, IDENTITY } from '../store/file/sample-log.ts';
import { makePlace } from '../store/file/state-place.ts';
import { NO_WITNESSES } from '../support/no-witnesses.ts';
import { makeDatabase, runSql } from '../support/postgres.ts';

export const INTENT = { ...intent('concept/c'), at: AT } as StateEvent;
export const CREATED: StateEvent = {
  type: 'created',
  at: AT,
  address: 'concept/c',
  result: { id: 'c-1' },
};

export function databaseOf(url: string): Database {
  const database = databaseAt(url, {});
  if (!database.ok) throw new Error(database.error.detail);
  return database.value;
}

/** For all cases, each of which has a campaign of its own. */
let oneDatabase: Promise<string> | undefined;
let campaigns = 0;

/** Nobody is taken for silent in the first seconds of a server: everybody has to come back first. */
export function serverIsOldEnough(url: string): Promise<unknown> {
  return runSql(
    url,
    `select pg_sleep(extract(epoch from pg_postmaster_start_time() + interval '10.2 seconds' - clock_timestamp()))`,
  );
}

/** Ends the run, whose other processes have been silent for so long that nothing of theirs is awaited. */
export function endWithoutOthers(url: string, run: SharedRun): Promise<unknown> {
  const end = async () => {
    await runSql(url, 'delete from campaign.part where run = $1', [run.id]);
    return run.finish(() => Promise.resolve());
  };
  return vi.waitUntil(end, { timeout: 60_000 });
}

/** Each has a clock. */
export async function shareOf(
  nodes: readonly PlannedNode[],
  {
    first: firsts = realClock,
    second: seconds = realClock,
    sharing,
    way = (url) => Promise.resolve(url),
  }: {
    first?: Clock;
    second?: Clock;
    sharing?: Partial<Sharing>;
    way?: (url: string) => Promise<string>;
  } = {},
) {
  const { folder, file } = await makePlace();
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = await (oneDatabase ??= makeDatabase());
  const identity = { ...IDENTITY, campaign: `c${++campaigns}` };
  const database = databaseOf(await way(url));
  const storeIn = (work: string) =>
    createPostgresStore({
      database,
      file: path.join(work, path.basename(file)),
      identity,
      witnesses: NO_WITNESSES,
    });
  const store = storeIn(path.dirname(file));
  const share = (of: readonly PlannedNode[], runId: string) =>
    // Processes of another case that were not closed have slots of theirs for a while.
    shareNext(store, { nodes: of, runId, clock: firsts, account: identity.campaign, ...sharing });
  const first = await share(nodes, 'run-1');
  const second = await takePart(database, {
    run: first.id,
    clock: seconds,
  });
  if (!second.ok || !second.value) throw new Error('nobody takes part');
  const both = [first, second.value];
  return { url, store, storeIn, both, share };
}

type Next = Partial<Sharing> & Pick<Sharing, 'nodes' | 'account'> & { runId: string; clock: Clock };

/** A run of the campaign, by one process until now. */
async function shareNext(
  store: ReturnType<typeof createPostgresStore>,
  { runId, clock, ...sharing }: Next,
): Promise<SharedRun> {
  const opened = await store.write({
    lockTimeoutMs: 0,
    clock,
    runId,
    command: 'campaign apply',
    newLineage: () => `lineage-${campaigns}`,
    begin: {
      type: 'run-started',
      at: AT,
      command: 'apply',
      version: '1',
      manifest: 'm',
      by: 'anna@studio',
    },
  });
  if (!opened.ok) throw new Error(opened.error.detail);
  const rest = { spec: {}, mediaInFlight: 200, generating: 0, polls: true, atOnce: 8 };
  const run = await opened.value.share?.({ ...rest, ...sharing });
  await opened.value.close();
  if (!run) throw new Error('it is not shared');
  return run;
}

type Store = ReturnType<typeof createPostgresStore>;

/** That it was not created. */
export async function decide(store: Store): Promise<void> {
  const event = { type: 'resolved', at: AT, address: 'concept/c', decision: 'not-created' } as const;
  await writeInto(store, [event]);
}

/** A command that records these events, and gives what it is told at its begin. */
export async function writeInto(store: Store, events: readonly StateEvent[]): Promise<readonly string[]> {
  const opened = await store.write({
    lockTimeoutMs: 0,
    clock: realClock,
    runId: 'run-2',
    command: 'campaign resolve',
    newLineage: () => '',
    // Another folder than that of the first run; one that decides may do so of an older log, too.
    allow: ['elsewhere', ...(events.some(({ type }) => type === 'rebound') ? ['diverged' as const] : [])],
  });
  if (!opened.ok) throw new Error(opened.error.detail);
  const { recorder, warnings } = opened.value;
  if (events.length > 0) await recorder.append(events);
  await opened.value.close();
  return warnings;
}
