/** What happens at the service in half a year without campaign: it fails for a while, and people delete and change things there. */
import { confirmGone } from '../../src/app/confirm-gone.ts';
import { missingOf } from '../../src/app/missing.ts';
import { wishesOf } from '../../src/app/plan-wishes.ts';
import { isKnownGone, knownThings } from '../../src/app/read-back.ts';
import { refreshCampaign } from '../../src/app/refresh-campaign.ts';
import { pick } from '../../src/emulator/pictures/seeded.ts';
import type { RunState } from '../../src/model/run-state.ts';
import type { Missing } from '../../src/plan/draft-plan.ts';
import { realDisk } from '../../src/util/disk.ts';
import { campaignOf, type CampaignWords } from '../support/campaign.ts';
import { type ProcessEnd, readState } from '../support/crash-apply.ts';
import { AGREED, commandOnce, type UseCase } from '../support/crash-command.ts';
import type { CrashWorld } from '../support/crash-world.ts';
import {
  createSimulatedClient,
  type SimulatedCall,
  type SimulatedFault,
} from '../support/simulated-client.ts';
import type { Watch } from './half-year-check.ts';

export type Fault = (call: SimulatedCall) => SimulatedFault | undefined;

/** From a call on, for some calls or for the rest of the night. A gateway that says 404 still gives tokens. */
export function outage(random: () => number): Fault {
  const kind = pick<SimulatedFault>(random, [
    'refused',
    'cut',
    'cut-done',
    'silent',
    { status: 503 },
    { status: 404 },
    { status: 404 },
  ]);
  const isDenial = typeof kind === 'object' && kind.status === 404;
  const from = Math.floor(12 * random());
  const until = random() < 0.5 ? from + 1 + Math.floor(20 * random()) : Number.POSITIVE_INFINITY;
  let calls = 0;
  return ({ route }) => {
    calls += 1;
    const isOut = calls > from && calls <= until && !(isDenial && route === 'POST /get_auth_token');
    return isOut ? kind : undefined;
  };
}

/** Somebody deletes a product or a request, or changes a product. They wait until the last deletion was noticed. */
export async function meddle(
  { world, watch }: { readonly world: CrashWorld; readonly watch: Watch },
  random: () => number,
  mark: number,
): Promise<void> {
  const opened = await readState(world);
  const known = opened.ok ? knownThings(opened.value.state) : [];
  const things = known.flatMap((thing) =>
    thing.type === 'post' || isKnownGone(thing) ? [] : { type: thing.type, id: thing.id },
  );
  const thing = things[Math.floor(random() * things.length)];
  if (!thing) return;
  const { type, id } = thing;
  const isUnseen = things.some((each) => world.takenAway.has(each.id));
  const { client } = createSimulatedClient({ service: world.service, clock: world.clock, latency: () => 10 });
  if (type === 'product' && (isUnseen || random() < 0.5)) {
    const changed = await world.clock.runUntil(client.patchProduct(id, { description: `theirs ${mark}` }));
    if (changed.ok) watch.elsewhere({ changed: id });
  } else if (!isUnseen) {
    const deletes = type === 'product' ? client.deleteProduct : client.deleteMediaConfig;
    const deleted = await world.clock.runUntil(deletes(id));
    if (deleted.ok) watch.elsewhere({ deleted: id });
  }
}

export const refreshing: UseCase = (runtime, campaign) => refreshCampaign(runtime, campaign, AGREED);

/** What `apply --recreate-missing` does before it plans, and what it then makes again. */
export async function confirming(
  world: CrashWorld,
  asked: { readonly words: CampaignWords; readonly fault: Fault },
): Promise<{ readonly end: ProcessEnd; readonly missing: (state: RunState) => Missing | undefined }> {
  let wishes = wishesOf({ recreateMissing: true });
  const end = await commandOnce(world, asked, async (runtime, campaign) => {
    const confirmed = await confirmGone(runtime, campaign, { wishes, lockTimeoutMs: 0 });
    if (confirmed.ok) wishes = confirmed.value;
    return confirmed;
  });
  const campaign = campaignOf(asked.words);
  return { end, missing: (state) => missingOf({ disk: realDisk }, campaign, { state, wishes }) };
}
