import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { count } from '../util/count.ts';
import type { Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { wishesForOthers } from './plan-campaign.ts';
import type { PlanWishes } from './plan-wishes.ts';
import { readState } from './read-state.ts';
import type { Runtime } from './runtime.ts';

/**
 * Each glob and address of a command with several manifests has to name something in one of them: one that is mistyped
 * would exclude nothing, and everything would be paid for. Those that cannot be read are passed over.
 */
export async function wishesForNone(
  { clock }: Pick<Runtime, 'clock'>,
  files: readonly string[],
  { read, wishes }: { read: (file: string) => Promise<Result<Campaign, Refusal>>; wishes: PlanWishes },
): Promise<Refusal | undefined> {
  const { only, exclude, replace, retryFailed = '*' } = wishes;
  let left = [...only, ...exclude, ...replace, ...(retryFailed === '*' ? [] : [retryFailed])];
  for (const file of files) {
    if (!left.length) return undefined;
    const campaign = await read(file);
    const opened = campaign.ok && (await readState(campaign.value));
    if (!opened || !opened.ok) continue;
    const others = wishesForOthers(campaign.value, opened.value.state, { wishes, now: clock.now() });
    left = left.filter((wish) => others.includes(wish));
  }
  const [wish] = left;
  if (wish === undefined) return undefined;
  const detail =
    `${wish} names nothing in any of the ${count(files.length, 'manifest')}, as far as they can be read. Nothing was sent. Globs ` +
    'match whole addresses, such as product/tote or media/hero/*; `campaign plan` and `campaign state list` show them.';
  return refusal(EXIT.usage, { code: 'no-match', summary: 'Nothing has that address', detail });
}
