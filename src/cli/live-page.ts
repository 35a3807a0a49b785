/** Serves the live page of a campaign and keeps it up to date, until it is stopped (docs/ui.md). */
import type { CampaignSource } from '../app/campaign.ts';
import { createLiveReport } from '../app/live-report.ts';
import type { Runtime } from '../app/runtime.ts';
import { pageProgram } from '../app/write-report.ts';
import type { StopSignal } from '../engine/stopping.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { livePage } from '../report/live-page.ts';
import { createFeed } from '../ui/feed.ts';
import { serveUi, type UiServer } from '../ui/server.ts';
import type { Json } from '../util/json.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { LiveData, SentDecision } from '../views/live-data.ts';
import { lookAgain } from './look-again.ts';

export interface LivePage {
  readonly link: string;
  /** `.campaign/` of the campaign. */
  readonly workFolder: string;
  /** Keeps the page up to date until it is stopped, and ends it. */
  follow(stop: StopSignal): Promise<void>;
}

/** A change shows within a second; a large campaign, whose state takes long to read, keeps half a core busy. */
const PAUSE = { ms: 200, factor: 1 };

/** Refused where there is nothing that can be shown, as `campaign status` would. */
export async function openLivePage(
  runtime: Runtime,
  source: CampaignSource,
  port: number,
): Promise<Result<LivePage, Refusal>> {
  const report = createLiveReport(runtime, source);
  const first = await report.look();
  if (!first.ok) {
    await report.close();
    return first;
  }
  const feed = createFeed();
  const show = (data: LiveData) => void feed.publish(data as unknown as Json);
  show(first.value);
  const { html, policy } = livePage(await pageProgram());
  const { clock } = runtime;
  const page = {
    html,
    policy,
    feed,
    // What cannot be made small is shown as it is, or not at all.
    picture: async (sha256: string, size: string) =>
      (size === 'thumbnail' ? await report.thumbnail(sha256) : undefined) ?? report.picture(sha256),
    decide: (sent: readonly SentDecision[]) => report.decide(sent),
  };
  const server = await listening(() => serveUi(page, { port, clock }), port);
  if (!server.ok) {
    await report.close();
    return server;
  }
  /** What was shown once is never refused again. */
  const look = async () => {
    const looked = await report.look();
    return looked.ok ? looked.value : first.value;
  };
  const isAsSeen = () => report.isAsSeen();
  return ok({
    link: server.value.link,
    workFolder: report.workFolder(),
    async follow(stop) {
      try {
        const files = report.files();
        await lookAgain(first.value, { clock, stop, files, look, show, isAsSeen, pause: PAUSE });
      } finally {
        await server.value.close();
        await report.close();
      }
    },
  });
}

async function listening(serve: () => Promise<UiServer>, port: number): Promise<Result<UiServer, Refusal>> {
  try {
    return ok(await serve());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === undefined ? undefined : REASONS[code];
    if (why === undefined) throw error;
    const detail = `Port ${port} ${why}. Choose another one with --port; without it, a free one is taken.`;
    return err(refusal(EXIT.usage, { code: 'port-in-use', summary: 'The page has no port', detail }));
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'is kept for the system',
};
