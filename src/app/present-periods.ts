import type { PlanPeriod } from '../manifest/manifest.ts';
import { periodOf } from '../model/period.ts';
import { dayIn } from '../util/time-zone.ts';
import type { CampaignSource } from './campaign.ts';

/** Whether no other period has begun since these were the present ones. */
export function arePresent(
  periods: readonly PlanPeriod[],
  { at }: Pick<CampaignSource, 'at'>,
  now: number,
): boolean {
  return periods.every(
    ({ every, timezone, name }) => periodOf(every, at ?? dayIn(timezone, now)).name === name,
  );
}
