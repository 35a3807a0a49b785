/**
 * The live page's pictures, news and decisions (docs/ui.md): it shows the token of its link to the server, once, and listens
 * to what changes from then on.
 */
import { idKey } from '../util/id-key.ts';
import type { SavedDecisions, SentDecision } from '../views/live-data.ts';
import type { ReportData, TakeDecision } from '../views/report-data.ts';
import { OTHER_SERVER } from './event-stream.ts';
import { createLiveState, type LiveState } from './live-state.ts';
import type { PageSource } from './page-source.ts';
import type { DecisionChange } from './unwritten.ts';

export interface LiveSource extends PageSource {
  readonly data: ReportData;
}

/** As `createLiveState`. */
export async function openLiveSource(tell: (status: string) => void): Promise<LiveSource> {
  await enter();
  const state = createLiveState(tell);
  const { report } = await state.first;
  const pictureAt = (index: number) => state.data()?.pictures[index];
  return {
    data: report,
    thumbnail(index) {
      const picture = pictureAt(index);
      return picture?.kind === 'image' ? pictureUrl(picture.sha256, 'thumbnail') : null;
    },
    async full(index) {
      const picture = pictureAt(index);
      return picture ? [pictureUrl(picture.sha256, 'full')] : [];
    },
    decisions: { type: 'save', save: (changes) => save(changes, state) },
    follow: (follower) => state.follow(follower),
  };
}

/** A page that was loaded again has its cookie, and no token any more. */
async function enter(): Promise<void> {
  const token = location.hash.slice(1);
  if (token === '') return;
  history.replaceState(null, '', location.pathname);
  const answer = await post('session', { token });
  if (!answer.ok) throw new Error(await answer.text());
}

function post(name: string, body: unknown): Promise<Response> {
  return fetch(name, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function save(changes: readonly DecisionChange[], state: LiveState): Promise<string | undefined> {
  state.handover.pause();
  const sent = changes.map((change) => sentDecision(change, state.data()));
  const answer = await post('decisions', sent).catch(() => undefined);
  if (!answer?.ok) {
    state.handover.resume(() => true);
    return answer
      ? whyNot(answer)
      : 'campaign cannot be reached. Until it is back, copy them under Decisions file.';
  }
  const { left } = (await answer.json()) as SavedDecisions;
  const written = changes.filter(({ media }) => !left.includes(media));
  state.handover.resume((report) => written.every((change) => isIn(report, change)));
  if (left.length > 0) {
    state.handover.again();
    state.warn(leftWords(left.length));
  }
  return undefined;
}

async function whyNot(answer: Response): Promise<string> {
  return answer.status === 404 ? OTHER_SERVER : (await answer.text()).trim();
}

function sentDecision({ media, decision }: DecisionChange, data: ReportData | undefined): SentDecision {
  const seen = decisionIn(data, media)?.verdict ?? 'undecided';
  if (!decision) return { media, decision, seen };
  const { verdict, note = '' } = decision;
  return { media, decision: { verdict, note }, seen };
}

function isIn(data: ReportData, { media, decision }: DecisionChange): boolean {
  const there = decisionIn(data, media);
  return there?.verdict === decision?.verdict && (there?.note ?? '') === (decision?.note ?? '');
}

function decisionIn(data: ReportData | undefined, media: string): TakeDecision | null {
  const key = idKey(media);
  const takes = data?.posts.flatMap((post) => post.takes) ?? [];
  return takes.find((take) => idKey(take.media) === key)?.decision ?? null;
}

function leftWords(count: number): string {
  const what = count === 1 ? 'One decision was not written' : `${count} decisions were not written`;
  return `${what}: somebody else has decided otherwise meanwhile, or the picture is none of this campaign. Look again.`;
}

function pictureUrl(sha256: string, size: 'thumbnail' | 'full'): string {
  return `picture/${sha256}?size=${size}`;
}
