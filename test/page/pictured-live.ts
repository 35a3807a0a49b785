/** The page of `campaign ui` in the middle of the recorded run, as its server serves it. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { livePage } from '../../src/report/live-page.ts';
import { createFeed } from '../../src/ui/feed.ts';
import { serveUi } from '../../src/ui/server.ts';
import { realClock } from '../../src/util/clock.ts';
import type { Json } from '../../src/util/json.ts';
import { ok } from '../../src/util/result.ts';
import { ROOT } from '../docs/page-blocks.ts';
import type { ExampleCopy } from '../support/example.ts';
import { copyRecorded, LOG, reportIn } from './pictured-campaign.ts';

/** So many posts have their files at that moment. */
const FETCHED = 22;

/** `picture` gives what stands for a content. */
export async function serveRecordedRun(picture: (sha256: string) => Promise<Buffer>) {
  const copy = await copyRecorded();
  await cutRun(copy);
  const { data } = await reportIn(copy);
  await copy.remove();
  const feed = createFeed();
  const running = '`campaign apply`, process 4711 on studio';
  feed.publish({ report: data, running, problem: null, warnings: [] } as unknown as Json);
  const [script = '', style = ''] = await Promise.all(
    ['page.js', 'page-style.css'].map((name) => readFile(join(ROOT, 'dist', name), 'utf8')),
  );
  const decide = async () => ok({ left: [] });
  return serveUi({ ...livePage({ script, style }), feed, picture, decide }, { port: 0, clock: realClock });
}

/** Nothing of what came later is known, decisions included. */
async function cutRun({ folder }: ExampleCopy): Promise<void> {
  const log = join(folder, '.campaign', LOG);
  const lines = (await readFile(log, 'utf8')).split('\n');
  const fetched = lines.flatMap((line, index) => (line.includes('"type":"downloaded"') ? [index] : []));
  await writeFile(log, `${lines.slice(0, (fetched[FETCHED - 1] ?? 0) + 1).join('\n')}\n`);
  await rm(join(folder, '.campaign', 'matrix-week.emulator.decisions.yaml'));
}

/** The pictures of a campaign by their contents. */
export async function picturesIn(copy: ExampleCopy): Promise<(sha256: string) => Promise<Buffer>> {
  const { sources } = await reportIn(copy);
  const files = new Map(sources.map(({ sha256, file }) => [sha256, join(copy.folder, file)]));
  return (sha256) => readFile(files.get(sha256) ?? '');
}
