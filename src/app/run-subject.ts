/**
 * What a shared run is about: two applies with the same subject would have made the same plan, as nobody else writes the
 * state while the run goes on.
 */
import { hash } from 'node:crypto';
import type { Campaign } from './campaign.ts';
import type { Deciding } from './decide-plan.ts';
import { accountIdOf } from './run-spec.ts';
import type { CarryOutOptions } from './run-nodes.ts';

interface Asked
  extends Pick<Deciding, 'wishes' | 'consent' | 'savedPlan'>,
    Pick<CarryOutOptions, 'waiting' | 'failFast'> {}

/** Undefined for a saved plan, which was made from another state. Places in files do not count. */
export function subjectOf(
  { graph, manifest, decisions, files }: Pick<Campaign, 'graph' | 'manifest' | 'decisions' | 'files'>,
  apiKey: string,
  { wishes, consent, savedPlan, waiting, failFast }: Asked,
): string | undefined {
  if (savedPlan !== undefined) return undefined;
  const { name, environment, outputs, budget } = manifest;
  const about = {
    account: accountIdOf(environment, apiKey),
    campaign: [name, environment.name],
    asked: [wishes, consent === 'everything', waiting, failFast],
    files,
    outputs: outputs && [outputs.dir, outputs.name],
    budget,
    verdicts: decisions.verdicts,
    objects: graph.objects,
    posts: graph.posts,
    moved: graph.moved,
  };
  return hash('sha256', JSON.stringify(about, plain), 'hex');
}

function plain(key: string, value: unknown): unknown {
  if (key === 'source') return undefined;
  if (typeof value === 'bigint') return String(value);
  return value instanceof Map ? [...value] : value;
}
