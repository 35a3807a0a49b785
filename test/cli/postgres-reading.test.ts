/**
 * What is shown of a state says nothing about its place: the page, the report, doctor and all that reads give the same for a
 * file, for a database, and after a run that a worker has carried out.
 */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { reportDataIn } from '../support/report-data-in.ts';
import type { LiveData } from '../../src/views/live-data.ts';
import type { ReportData } from '../../src/views/report-data.ts';
import { enter, followPage } from '../ui/ui-client.ts';
import { checksOf } from './doctor-run.ts';
import { type CampaignFolder, campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

type Env = Readonly<Record<string, string>>;

const READING: readonly (readonly string[])[] = [
  ['plan', 'm.yaml', '--json'],
  ['status', 'm.yaml', '--json'],
  ['status', 'm.yaml', '--all'],
  ['outputs', 'm.yaml', '--json'],
  ['outputs', 'm.yaml', '--verify'],
  ['history', 'm.yaml', '--json'],
  ['history', 'm.yaml'],
  ['graph', 'm.yaml'],
  ['resolve', 'm.yaml', '--all'],
  ['state', 'list', 'm.yaml'],
  ['state', 'show', 'm.yaml', 'media/hero/kitchen', '--json'],
  ['state', 'check', 'm.yaml'],
  ['state', 'export', 'm.yaml'],
];

/** How long a run took, and when in it what was done, is not the same twice. */
function withoutTimes({ runs, ...report }: ReportData) {
  return { ...report, runs: runs.map(({ run, command, outcome, by }) => ({ run, command, outcome, by })) };
}

async function livePage(campaign: CampaignFolder, env: Env): Promise<LiveData> {
  const ui = campaign.start(['ui', 'm.yaml', '--json'], env);
  onTestFinished(() => void ui.process.kill('SIGKILL'));
  const { url: link } = JSON.parse(await ui.seen(/"url"/)) as { url: string };
  const page = followPage(link, await enter(link));
  const live = await page.until(() => true);
  page.close();
  ui.process.kill('SIGINT');
  await ui.end;
  return live;
}

/** All that is shown, in one text, and what the timeline was made from. */
async function shownOf(campaign: CampaignFolder, env: Env) {
  const shown: unknown[] = [];
  for (const words of READING) {
    const { code, stdout, stderr } = await campaign.run(words, env);
    shown.push({ words, code, stdout, stderr });
  }
  const live = await livePage(campaign, env);
  expect(await campaign.run(['report', 'm.yaml', '--out', 'page.html'], env)).toMatchObject({ code: 0 });
  const report = reportDataIn(await campaign.read('page.html'));
  shown.push({ ...live, report: withoutTimes(live.report) }, withoutTimes(report));
  const checks = checksOf(await campaign.run(['doctor', 'm.yaml', '--json'], env));
  const ofDatabase = [...checks.keys()].filter((check) => /^(?:database|db_)/.test(check));
  shown.push([...checks.values()].filter(({ check }) => !ofDatabase.includes(check)));
  return {
    text: JSON.stringify(shown, null, 1),
    ofDatabase,
    recorded: [live.report, report].map(({ runs }) => runs[0]?.recorded),
  };
}

function masked(text: string, places: readonly (readonly [string, string])[]): string {
  let left = text;
  for (const [place, word] of places) left = left.replaceAll(place, word);
  return left
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, 'TIME')
    .replaceAll(/\b(?:\d+ min )?\d+(?:\.\d)? s\b/g, 'SECONDS')
    .replaceAll(/(\\?"(?:images|bytes)\\?":) ?(?:\d+|\\?"\w+\\?")/g, '$1 N')
    .replaceAll(/\b[\d.]+ [GM]B\b/g, 'SIZE')
    .replaceAll(/\b[0-9a-f]{8}\b/g, 'RUN')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'SHA');
}

async function played(how: 'file' | 'database' | 'shared') {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  const url = how === 'file' ? undefined : await makeDatabase();
  const env: Env = url === undefined ? {} : { CAMPAIGN_STATE: url };
  if (how === 'shared') {
    expect(await campaign.run(['db', 'migrate'], env)).toMatchObject({ code: 0 });
    const worker = campaign.start(['worker', '--json'], env);
    onTestFinished(() => void worker.process.kill('SIGKILL'));
    await worker.seen(/"ready"/);
    expect(await campaign.run(['apply', 'm.yaml', '--no-work'], env)).toMatchObject({ code: 0 });
    worker.process.kill('SIGTERM');
    await worker.end;
  } else expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
  const { text, ...rest } = await shownOf(campaign, env);
  const place = url === undefined ? STATE : url.replace(/:[^:@/]+@/, '@');
  const places = [
    [service.url, 'SERVICE'],
    [new URL(service.url).host, 'HOST'],
    [campaign.folder, 'FOLDER'],
    [place, 'STATE'],
  ] as const;
  return { text: masked(text, places), ...rest };
}

describe.runIf(hasPostgres)('a finished campaign', () => {
  it('is shown as it is, wherever its state is and whoever has carried it out', async () => {
    const [file, database, shared] = [await played('file'), await played('database'), await played('shared')];
    expect(database.text).toBe(file.text);
    expect(shared.text).toBe(file.text);
    expect(file.ofDatabase).toEqual([]);
    expect(database.ofDatabase).toEqual(shared.ofDatabase);
    expect(database.ofDatabase).toContain('db_role');
    // The timeline of a run is made from the notes of the one process that has carried it out; else from the log.
    expect(file.recorded).toEqual(['attempts', 'attempts']);
    expect(database.recorded).toEqual(file.recorded);
    expect(shared.recorded).toEqual(['log', 'log']);
  });
});
