import type { StateEvent } from '../../src/model/state-event.ts';
import type { RequestState, RunState } from '../../src/model/run-state.ts';
import type { Client } from '../../src/service/client.ts';
import { readMediaUrls } from '../../src/service/read-media-urls.ts';
import { matchCreatedItems, sentItem } from '../../src/steps/match-created-items.ts';
import { inState, type ProcessEnd } from './crash-apply.ts';
import { firstName, knownIds, unknownCreates } from './crash-check.ts';
import type { CrashRun } from './crash-run.ts';
import type { CrashWorld } from './crash-world.ts';
import { createSimulatedClient } from './simulated-client.ts';

const AT = '2026-01-01T00:00:00.000Z';

/** What a careful person does: waits until nothing is under way any more, looks into the service's books, decides. */
export async function resolveUnknowns(world: CrashWorld): Promise<ProcessEnd> {
  await world.clock.advance(120_000);
  return inState(world, { name: 'resolve', retries: 'goes-on' }, async ({ recorder }, process) => {
    const { client } = createSimulatedClient({
      service: world.service,
      clock: world.clock,
      latency: () => 10,
    });
    for (const address of unknownCreates(recorder.state)) {
      const deciding = decide(world, { address, state: recorder.state }, client);
      const event = await world.clock.runUntil(Promise.race([deciding, process.died]));
      if (!event) return { type: 'died' };
      await recorder.append([event]);
      // From here on a request of it is a new one.
      for (const run of world.runs) forget(run, address);
    }
    return { type: 'ended' };
  });
}

function forget({ doubtful, open, unkept }: CrashRun, address: string): void {
  for (const set of [doubtful, open, unkept])
    for (const one of set) if (firstName(one) === firstName(address)) set.delete(one);
}

async function decide(
  { made, takenAway }: CrashWorld,
  { address, state }: { address: string; state: RunState },
  client: Client,
): Promise<StateEvent> {
  const of = { type: 'resolved', at: AT, address } as const;
  const known = knownIds(state);
  const one = made.find(
    ({ id, node }) => firstName(node.address) === firstName(address) && !known.has(id) && !takenAway.has(id),
  );
  if (!one) return { ...of, decision: 'not-created' };
  const request = state.requests.get(address);
  if (request) return { ...of, decision: 'created', result: await requestResult(one.id, request, client) };
  if (one.kind === 'concept') return { ...of, decision: 'created', result: { id: one.id } };
  const answer = await client.getProduct(one.id);
  if (!answer.ok) throw new Error(answer.error.problem.detail);
  const [url] = readMediaUrls(answer.value.media_urls);
  return { ...of, decision: 'created', result: { id: one.id, ...(url === undefined ? {} : { url }) } };
}

async function requestResult(id: string, { payload }: RequestState, client: Client) {
  const answer = await client.getMediaConfig(id);
  if (!answer.ok) throw new Error(answer.error.problem.detail);
  const { items } = matchCreatedItems(
    payload.items.map((item) => sentItem(item, () => ({}))),
    answer.value.items,
    payload.nextItem,
  );
  return { id, concept: answer.value.concept_id ?? '', items };
}
