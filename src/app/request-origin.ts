/** What may change later is noted with each request: the manifest's version and lines, and what it costs. */
import { mediaAddress, takeAddress } from '../model/address.ts';
import { requestCost } from '../model/budget.ts';
import { kindHas } from '../model/kinds.ts';
import { amountOf } from '../model/money.ts';
import { NotBegun } from '../model/not-begun.ts';
import type { ManifestVersion, RequestPayload } from '../model/payload.ts';
import type { Plan, PlannedNode } from '../model/plan.ts';
import type { StateEvent } from '../model/state-event.ts';
import type { Recorder } from '../model/step.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';
import type { SpendingGuard } from './spending-guard.ts';

interface Recording {
  readonly plan: Pick<Plan, 'nodes'>;
  readonly recorder: Recorder;
  readonly campaign: Pick<Campaign, 'manifest'>;
  readonly guard?: Pick<SpendingGuard, 'recorded' | 'notSpent'> | undefined;
}

/** A recorder that notes it with each intent, and tells the guard what came of it. */
export async function noteOrigin(
  { manifestVersion }: Runtime,
  { plan, recorder, campaign, guard }: Recording,
): Promise<Recorder> {
  if (!plan.nodes.listed.some((node) => kindHas(node, 'stored', 'request'))) return recorder;
  const withOrigin = originsIn(plan, campaign.manifest, await manifestVersion(campaign.manifest));
  const noted = (event: StateEvent): StateEvent =>
    event.type === 'intent' && event.request
      ? { ...event, request: withOrigin(event.address, event.request) }
      : event;
  return {
    get state() {
      return recorder.state;
    },
    async append(events) {
      try {
        await recorder.append(events.map(noted));
      } catch (error) {
        if (error instanceof NotBegun)
          for (const event of events) if ('address' in event) guard?.notSpent(event.address);
        throw error;
      }
      guard?.recorded(events);
    },
    note: (events) => recorder.note(events),
  };
}

/** `address`: of the request. */
export function originsIn(
  { nodes }: Pick<Plan, 'nodes'>,
  { locate, budget }: Pick<Campaign['manifest'], 'locate' | 'budget'>,
  manifest: ManifestVersion,
): (address: string, request: RequestPayload) => RequestPayload {
  const requests = nodes.listed.filter((node) => kindHas(node, 'stored', 'request'));
  const sourcesOf = (all: readonly PlannedNode[]) =>
    new Map(all.map(({ address, source }) => [address, source]));
  const bringing = new Map(requests.map(({ address, takes }) => [address, takes]));
  const listed = sourcesOf(nodes.listed.filter((node) => kindHas(node, 'stored', 'take')));
  return (address, request) => {
    const takes = bringing.get(address);
    const sources = takes ? sourcesOf(takes()) : listed;
    const items = request.items.map((each) => {
      const { item, fingerprint, inputs, payload } = each;
      const source = sources.get(takeAddress(mediaAddress(request.post, item), request.n));
      const position = source === undefined ? undefined : locate(source);
      return position ? { item, fingerprint, inputs, payload, line: position.line } : each;
    });
    const cost = budget && requestCost(request, budget.prices);
    const priced = cost === undefined ? {} : { cost: amountOf(cost) };
    return { ...request, items, manifest, ...priced };
  };
}
