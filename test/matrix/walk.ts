/** Walks the cells of some endpoints, a test each. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { IS_FULL } from '../sweep/stride.ts';
import { type Cell, cellsOf } from './cells.ts';
import { clientEnding, nextStep } from './client-endings.ts';
import { endingsOf, wordsOf } from './endings.ts';
import { type Endpoint, ENDPOINTS, type RequestKind } from './endpoints.ts';
import { playCall, playStory, type SeenRun } from './observe.ts';
import { setStage, type Stage } from './stage.ts';

/** Defines the tests of all endpoints of these kinds. */
export function walk(...kinds: readonly RequestKind[]): void {
  describe.each(ENDPOINTS.filter(({ kind }) => kinds.includes(kind)))('$route', (endpoint) => {
    const first = ENDPOINTS.indexOf(endpoint);
    let stage: Stage;
    beforeAll(async () => {
      stage = await setStage(endpoint);
    });
    afterEach(() => stage.lift());
    afterAll(() => stage.close());

    const check = endpoint.story ? checkStory : checkCall;
    // All cells in `npm run test:sweep`; as a part of `npm test` every thirteenth, each endpoint others.
    const cells = cellsOf(endpoint).filter((_, index) => IS_FULL || (first + index) % 13 === 0);
    for (const cell of cells) {
      it(`${cell.fault.name}: ${cell.verdict}`, () => check(cell, endpoint, stage));
    }
  });
}

async function checkStory({ fault, verdict }: Cell, endpoint: Endpoint, stage: Stage): Promise<void> {
  const { faulty, after, broken } = await playStory(stage, endpoint, fault);
  const expected = endingsOf(endpoint, fault, verdict);
  expect(seen(faulty), faulty.text).toEqual(expected.faulty);
  if (after) expect(seen(after), after.text).toEqual(expected.after);
  for (const words of wordsOf(fault, verdict, endpoint.kind)) expect(faulty.text).toMatch(words);
  // Nothing that the service says moves a cursor, hides text or turns it around.
  expect(faulty.text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(broken).toEqual([]);
}

function seen({ requests, exit, status }: SeenRun): object {
  return { requests, exit, status };
}

async function checkCall({ fault, verdict }: Cell, endpoint: Endpoint, stage: Stage): Promise<void> {
  const { answer, requests, broken } = await playCall(stage, endpoint, fault);
  expect({ requests, next: nextStep(answer) }).toEqual(clientEnding(fault, verdict));
  expect(broken).toEqual([]);
}
