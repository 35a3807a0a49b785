import type { StatePlace } from '../store/open-store.ts';
import { ok } from '../util/result.ts';
import { collectPictures, type Pictures } from '../views/report-pictures.ts';
import type { PostMemory } from '../views/report-posts.ts';
import { createTimelines } from '../views/timelines.ts';
import { createAttemptReader } from './attempt-notes.ts';
import type { Campaign, CampaignSource } from './campaign.ts';
import { followCampaign, type Following } from './follow-campaign.ts';
import { type CampaignReport, pathFrom, reportOf } from './report-campaign.ts';
import type { Runtime } from './runtime.ts';

export interface FollowedReport extends CampaignReport {
  /** Of a state that is in no file: what it was, at the latest, when it was read. */
  readonly version: string | undefined;
  /** The one that is followed. */
  readonly store: StatePlace['store'];
}

/**
 * What a page shows of a campaign, again and again. Each time it is what `reportOf` gives, but that pictures keep their numbers;
 * what did not change is not made anew.
 */
export function followReport(runtime: Runtime, source: CampaignSource): Following<FollowedReport> {
  let timelines = createTimelines();
  const followed = followCampaign(runtime, source, () => (timelines = createTimelines()).visit);
  const attempts = createAttemptReader();
  const postsOf = rememberPosts();
  let pictures: Pictures | undefined;
  const pathOf = (file: string, folder: string) => pathFrom(folder, file, folder);

  const now = async () => {
    const found = await followed.now();
    if (!found.ok) return found;
    const { campaign, read, isHere } = found.value;
    const { folder } = campaign.manifest;
    pictures ??= collectPictures((file) => pathOf(file, folder));
    const posts = postsOf(campaign);
    // Before the state is read: what comes meanwhile is looked at again.
    const { store } = campaign;
    const version = await store.version?.();
    const following = { read, isHere, timelines: () => timelines, attempts, pictures, posts };
    const made = await reportOf(runtime, campaign, { pathOf, empty: 'show', following });
    return made.ok ? ok({ ...made.value, version, store }) : made;
  };
  return { now, close: followed.close };
}

/** Those of one manifest and its decisions. */
function rememberPosts(): (campaign: Campaign) => PostMemory {
  let of: Campaign | undefined;
  let posts: PostMemory = new Map();
  return (campaign) => {
    if (of !== campaign) posts = new Map();
    of = campaign;
    return posts;
  };
}
