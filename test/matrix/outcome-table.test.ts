/** What must come of every fault is what the program's own table says of such an answer. */
import { expect, it } from 'vitest';
import { type Column, exitOf, rowOf } from '../../src/engine/outcome-table.ts';
import { EXIT } from '../../src/model/exit.ts';
import type { FailureKind } from '../../src/model/facts.ts';
import { cellsOf } from './cells.ts';
import { endingsOf } from './endings.ts';
import { ENDPOINTS, type RequestKind } from './endpoints.ts';
import type { Verdict } from './expected.ts';
import type { Column as FaultColumn, Fault } from './faults.ts';

const COLUMNS: Readonly<Partial<Record<RequestKind, Column>>> = {
  token: 'unsent create',
  create: 'create',
  lookup: 'unsent create',
  upload: 'repeatable',
  update: 'repeatable',
  download: 'repeatable',
  delete: 'repeatable',
  poll: 'poll',
};

/** What the columns of the faults are to the program. */
const CAME: Readonly<Record<FaultColumn, FailureKind>> = {
  'not sent': 'not-sent',
  'no answer': 'no-answer',
  'bad body': 'unusable',
  '401 once': 'unauthorized',
  '401': 'unauthorized',
  '429': 'throttled',
  'long 429': 'throttled',
  '4xx': 'refused',
  'passing 4xx': 'passing',
  conflict: 'unproven',
  redirect: 'unproven',
  '5xx': 'server-error',
  'proven 5xx': 'not-done',
  harmless: 'no-result',
};

/** Where the fault hits something else than the request of the column, or its last attempt finds out more. */
const CAME_OF: Readonly<Partial<Record<Verdict, FailureKind>>> = {
  'no endpoint': 'misconfigured',
  elsewhere: 'misconfigured',
  'no trust': 'misconfigured',
  'no key': 'unauthorized',
  denied: 'unclear',
  'refused here': 'not-sent',
  'nobody there': 'not-sent',
  spoiled: 'no-result',
  cut: 'no-result',
  endless: 'no-result',
};

function cameOf({ column }: Fault, kind: RequestKind, verdict: Verdict): FailureKind {
  // Without a token nothing is sent, whatever kept it from coming; a key that is refused is another matter.
  if (kind === 'token' && verdict === 'later') return 'not-sent';
  return CAME_OF[verdict] ?? CAME[column];
}

it('the table of outcomes predicts the exit code of every fault that a run does not get over', () => {
  let predicted = 0;
  for (const endpoint of ENDPOINTS.filter(({ story }) => story)) {
    for (const { fault, verdict } of cellsOf(endpoint)) {
      const { exit, status } = endingsOf(endpoint, fault, verdict).faulty;
      if (exit === 0 || (status === 'done' && endpoint.kind !== 'delete')) continue;
      const row = rowOf(COLUMNS[endpoint.kind] ?? 'repeatable', cameOf(fault, endpoint.kind, verdict));
      // Nothing was ever reached, or has been for a minute.
      const code = row.says === 'unreached' ? EXIT.unavailable : exitOf(row);
      expect(code, `${endpoint.route} × ${fault.name}`).toBe(exit);
      predicted += 1;
    }
  }
  expect(predicted).toBeGreaterThan(200);
});
