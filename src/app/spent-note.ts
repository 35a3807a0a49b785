/**
 * What a state had spent, by month, noted beside its lock (`.campaign/<state>.spent.json`): should the state vanish, the
 * one that `state new` begins takes it over. Before a run it holds what the plan may spend, as the run may be killed.
 */
import path from 'node:path';
import type { Spending } from '../log/spending.ts';
import type { Spent } from '../model/budget.ts';
import { amountOf, moneyOf } from '../model/money.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import { isJsonObject, parseJson } from '../util/json.ts';
import { makeIgnoredFolder, readPlainFile } from '../util/new-file.ts';
import type { Campaign } from './campaign.ts';

type Place = Pick<Campaign, 'workFolder' | 'stateFile'>;

function fileOf({ workFolder, stateFile }: Place): string {
  return path.join(workFolder, `${path.basename(stateFile)}.spent.json`);
}

/** Never fails: without the note only `state new` knows less. */
export async function noteSpent(place: Place, { months }: Pick<Spending, 'months'>): Promise<void> {
  const entries = [...months].map(([month, { posts, cost }]) => [month, { posts, cost: amountOf(cost) }]);
  try {
    await makeIgnoredFolder(place.workFolder);
    await writeFileAtomic(fileOf(place), `${JSON.stringify(Object.fromEntries(entries))}\n`, { mode: 0o600 });
  } catch {
    // An error of the disk.
  }
}

export async function notedSpent(place: Place): Promise<Spending['months']> {
  const json = parseJson(await readPlainFile(fileOf(place)).catch(() => ''));
  const months = new Map<string, Spent>();
  if (!json.ok || !isJsonObject(json.value)) return months;
  for (const [month, spent] of Object.entries(json.value)) {
    if (!isJsonObject(spent)) continue;
    const { posts, cost } = spent;
    if (typeof posts === 'number' && typeof cost === 'number')
      months.set(month, { posts, cost: moneyOf(cost) });
  }
  return months;
}
