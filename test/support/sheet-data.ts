import { NO_SCREENS } from './no-screens.ts';
import type { Picture, ReportData, SheetPost, Take } from '../../src/views/report-data.ts';

/** A post of the contact sheet, finished and not judged unless it says otherwise. */
export function sheetPost(name: string, changes: Partial<SheetPost> = {}): SheetPost {
  return {
    address: `media/${name}`,
    plan: name.split('/')[0] ?? name,
    product: 'tote',
    alsoShows: [],
    concept: 'morning',
    ratio: '4:5',
    type: 'image',
    status: 'done',
    outOfDate: false,
    wanted: true,
    caption: `Caption of ${name}`,
    alsoSays: [],
    cost: 0.1,
    cause: null,
    at: 'campaign.yaml:31',
    takes: [sheetTake(name)],
    ...changes,
  };
}

export function sheetTake(name: string, changes: Partial<Take> = {}): Take {
  return {
    media: `medium of ${name}`,
    take: 1,
    made: '2026-11-22T10:00:00.000Z',
    pictures: [0],
    decision: null,
    ...changes,
  };
}

/** A report of these posts, with one picture for all of them. */
export function sheetData(posts: readonly SheetPost[], changes: Partial<ReportData> = {}): ReportData {
  const done = posts.filter(({ status }) => status === 'done').length;
  return {
    format: 1,
    campaign: 'spring',
    environment: 'stage',
    service: 'visuals.example.com',
    manifest: 'campaign.yaml',
    decisionsFile: 'campaign.stage.decisions.yaml',
    madeAt: '2026-11-22T10:00:00.000Z',
    currency: 'EUR',
    pictures: [sheetPicture()],
    posts,
    products: [
      { key: 'tote', name: 'Canvas tote', photos: [0] },
      { key: 'mug', name: 'Stoneware mug', photos: [] },
    ],
    concepts: [
      { key: 'morning', name: 'Linen morning' },
      { key: 'night', name: 'Night' },
    ],
    counts: {
      posts: posts.length,
      done,
      pending: 0,
      to_download: 0,
      failed: 0,
      unknown: 0,
      given_up: 0,
      missing: 0,
      blocked: 0,
      outdated: 0,
      approved: 0,
      rejected: 0,
      undecided: done,
      files_missing: 0,
    },
    ...NO_SCREENS,
    ...changes,
  };
}

export function sheetPicture(changes: Partial<Picture> = {}): Picture {
  return {
    sha256: 'a'.repeat(64),
    width: 800,
    height: 1000,
    path: 'a.jpg',
    kind: 'image',
    thumbnail: null,
    problem: null,
    ...changes,
  };
}
