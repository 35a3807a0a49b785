/** Whoever follows a campaign has, after each record and each edit, what somebody has who looks for the first time. */
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aloneIn } from '../../src/app/account.ts';
import { statusOf } from '../../src/app/campaign-status.ts';
import type { CampaignSource } from '../../src/app/campaign.ts';
import { createRuntime } from '../../src/app/create-runtime.ts';
import { followCampaign } from '../../src/app/follow-campaign.ts';
import { followReport } from '../../src/app/follow-report.ts';
import { loadCampaign } from '../../src/app/load-campaign.ts';
import { pathFrom, reportOf } from '../../src/app/report-campaign.ts';
import { statusJson } from '../../src/cli/show-status.ts';
import type { Refusal } from '../../src/model/problem.ts';
import type { Result } from '../../src/util/result.ts';
import type { ReportData } from '../../src/views/report-data.ts';
import { campaignFolder, SMALL, STATE, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';

const DECISIONS = 'small.default.decisions.yaml';
const EDITED = SMALL.replace('slow turn', 'fast turn');

function good<Value>(result: Result<Value, Refusal>): Value {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

/** Pictures by what they are: a page that is open has them in the order in which it came to know them. */
function withoutNumbers({ pictures, posts, products, ...rest }: ReportData) {
  const named = (places: readonly number[]) =>
    places.map((place) => `${pictures[place]?.sha256} ${pictures[place]?.path}`);
  return {
    ...rest,
    madeAt: null,
    products: products.map((each) => ({ ...each, photos: named(each.photos) })),
    posts: posts.map((post) => ({
      ...post,
      takes: post.takes.map((take) => ({ ...take, pictures: named(take.pictures) })),
    })),
  };
}

/** The lines of a state after several commands, and the decisions that were made between them. */
async function history(service: { readonly url: string }) {
  const made = await campaignFolder(SMALL, service);
  await made.run(['apply', 'm.yaml', '--no-wait']);
  await made.run(['apply', 'm.yaml']);
  await made.run(['reject', 'm.yaml', 'media/hero/kitchen', '--note', 'cut off']);
  const decisions = await made.read(DECISIONS);
  await made.run(['apply', 'm.yaml']);
  await made.write('m.yaml', EDITED);
  await made.run(['apply', 'm.yaml', '--yes']);
  return { made, decisions, lines: (await made.read(STATE)).split(/(?<=\n)/) };
}

it('shows after each change what a fresh look shows', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const { made, decisions, lines } = await history(service);
  const followed = await campaignFolder(SMALL, service);
  const { folder } = followed;
  const runtime = createRuntime({ env: { CAMPAIGN_BASE_URL: service.url }, emit: () => undefined });
  const file = join(folder, 'm.yaml');
  const source: CampaignSource = { file, need: 'nothing', outside: 'refuse', target: 'm.yaml' };
  const { now: reportNow } = followReport(runtime, source);
  const { now: campaignNow } = followCampaign(runtime, source);
  const asking = { accounts: aloneIn(runtime), nodes: 'all' } as const;
  let before: ReportData | undefined;

  async function look(): Promise<number> {
    const loaded = good(await loadCampaign(runtime, source));
    const pathOf = (path: string, near: string) => pathFrom(near, path, near);
    const fresh = good(await reportOf(runtime, loaded, { pathOf, empty: 'show' })).data;
    const { data } = good(await reportNow());
    expect(withoutNumbers(data)).toEqual(withoutNumbers(fresh));
    const following = good(await campaignNow());
    const status = good(await statusOf(runtime, following.campaign, { ...asking, following }));
    expect(statusJson(status)).toEqual(statusJson(good(await statusOf(runtime, loaded, asking))));
    // Posts that did not change are the same objects, and so are pictures.
    const kept = data.posts.filter((post) => before?.posts.includes(post)).length;
    expect(data.pictures.slice(0, before?.pictures.length ?? 0)).toEqual(before?.pictures ?? []);
    before = data;
    return kept;
  }

  expect(await look()).toBe(0);
  const at = join(folder, STATE);
  const rejected = /media: (\S+?),/.exec(decisions)?.[1] ?? 'none';
  for (const [index, line] of lines.entries()) {
    await appendFile(at, line);
    if (index === 5) {
      // A copy in its place; then an older one, and the present one again.
      await writeFile(join(folder, 'copy'), await readFile(at));
      await rename(join(folder, 'copy'), at);
      await look();
      const text = await readFile(at, 'utf8');
      await writeFile(at, lines.slice(0, 3).join(''));
      await look();
      await writeFile(at, text);
    }
    if (line.includes('"downloaded"') && line.includes(rejected)) await followed.write(DECISIONS, decisions);
    if (index % 3 === 0) await look();
  }
  await look();
  // The manifest is the one before the edit: an older take of the video is what it asks for, and moves in each look.
  expect(await look()).toBe(1);
  await followed.write('m.yaml', EDITED);
  await look();
  await followed.write(DECISIONS, await made.read(DECISIONS));
  await look();
  expect(await look()).toBe(2);
  expect(before?.counts).toMatchObject({ posts: 2, done: 2 });
});
