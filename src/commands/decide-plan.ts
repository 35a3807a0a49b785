import type { Plan } from '../model/plan.ts';
import { acceptInputs } from '../plan/accept.ts';
import { planText } from '../render/plan-text.ts';
import type { WritableState } from '../state/open-state.ts';
import type { Result } from '../util/result.ts';
import { askReplacements, canAsk } from './ask-replacements.ts';
import type { Campaign } from './load-campaign.ts';
import type { ApplyOptions } from './options.ts';
import type { Output, Refusal } from './output.ts';
import { planCampaign, wishesOf } from './plan-campaign.ts';
import { loadSavedPlan } from './saved-plan.ts';

interface Deciding {
  readonly campaign: Campaign;
  readonly open: WritableState;
  readonly options: ApplyOptions;
  readonly output: Output;
}

/**
 * The plan that an apply carries out. A saved plan was reviewed, and `--yes` agrees beforehand; otherwise finished posts
 * are requested again only if somebody at a terminal says so.
 */
export async function decidePlan(deciding: Deciding): Promise<Result<Plan, Refusal>> {
  const { campaign, open, options, output } = deciding;
  if (options.plan !== undefined) return loadSavedPlan(options.plan, { campaign, open });
  const wishes = wishesOf(options);
  const planned = planCampaign(campaign, open.state, { wishes, replacements: options.yes ? 'make' : 'hold' });
  if (!planned.ok || !planned.value.held.length) return planned;
  if (output.mode === 'json' || output.isQuiet || !canAsk()) return planned;
  const whole = planCampaign(campaign, open.state, { wishes, replacements: 'make' });
  if (!whole.ok) return whole;
  output.progress(`${planText(whole.value, campaign.manifest.locate, output.errorStyle)}\n`);
  switch (await askReplacements(planned.value.held)) {
    case 'apply':
      return whole;
    case 'leave':
      return planned;
    case 'keep':
      await accept(planned.value, deciding);
      return planCampaign(campaign, open.state, { wishes, replacements: 'hold' });
  }
}

/** Moves come first: what is accepted goes by its new name. */
async function accept({ held, moves }: Plan, { campaign, open }: Deciding): Promise<void> {
  const at = new Date().toISOString();
  const addresses = new Set(held.map(({ address }) => address));
  const accepts = (address: string) => addresses.has(address);
  const events = acceptInputs(campaign.graph, open.state, { accepts, at });
  await open.recorder.append([
    ...moves.map(({ from, to }) => ({ type: 'moved' as const, at, from, to })),
    ...events,
  ]);
}
