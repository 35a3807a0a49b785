/** docs/ui.md: `campaign ui` beside a run of another process: it sees every change, takes no lock, and writes decisions. */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startOnScreen } from '../support/pty.ts';
import { ask, enter, followPage, partsOf } from '../ui/ui-client.ts';
import { startBareService } from '../support/bare-service.ts';
import { API_KEY, campaignFolder, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

const DECISIONS = 'small.default.decisions.yaml';

it('follows what other processes do, also one that is killed, and writes decisions to their file', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 1 }));
  const campaign = await campaignFolder(SMALL, service);
  const ui = campaign.start(['ui', 'm.yaml', '--json'], { USER: 'anna' });
  onTestFinished(() => void ui.process.kill('SIGKILL'));
  const { url: link } = JSON.parse(await ui.seen(/"url"/)) as { url: string };
  const { origin, folder } = partsOf(link);
  const cookie = await enter(link);
  const page = followPage(link, cookie);
  // There is no state yet.
  const empty = await page.until(() => true);
  expect(empty).toMatchObject({
    running: null,
    problem: null,
    report: { counts: { missing: 2 }, pictures: [{ path: 'tote.png' }] },
  });

  const apply = campaign.start(['apply', 'm.yaml']);
  const working = await page.until(({ running, report }) => running !== null && report.counts.pending === 2);
  expect(working.running).toContain('campaign apply');
  apply.process.kill('SIGKILL');
  await apply.end;
  const killed = await page.until(({ running }) => running === null);
  expect(killed.warnings).toEqual([expect.stringContaining('has no recorded end') as string]);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  const { report } = await page.until((live) => live.report.counts.done === 2);
  // The photo was known first, and keeps its number.
  expect(report.pictures[0]).toEqual(empty.report.pictures[0]);
  const [kitchen, tour] = report.posts;
  const shown = report.pictures[kitchen?.takes[0]?.pictures[0] ?? 0];
  const picture = await ask(link, {
    path: `${folder}picture/${shown?.sha256}?size=full`,
    headers: { cookie },
  });
  expect(picture).toMatchObject({ status: 200, headers: { 'content-type': 'image/png' } });

  const media = (post: typeof kitchen) => post?.takes.at(-1)?.media ?? '';
  const decide = async (...sent: object[]) => {
    const headers = { cookie, origin, 'content-type': 'application/json' };
    const body = JSON.stringify(sent);
    const answer = await ask(link, { method: 'POST', path: `${folder}decisions`, headers, body });
    return { status: answer.status, said: answer.body.toString() };
  };
  const rejected = { decision: { verdict: 'rejected', note: 'handle is "cut" off' }, seen: 'undecided' };
  expect(await decide({ media: media(kitchen), ...rejected })).toEqual({ status: 200, said: '{"left":[]}' });
  const judged = await page.until((live) => live.report.counts.rejected === 1);
  const decision = { verdict: 'rejected', note: 'handle is "cut" off', by: 'anna' };
  expect(judged.report.posts[0]?.takes[0]?.decision).toMatchObject(decision);
  // Somebody else decides, and then breaks the file.
  expect(await campaign.run(['reject', 'm.yaml', 'media/hero/tour', '--note', 'no'])).toMatchObject({
    code: 0,
  });
  const approved = { media: media(tour), decision: { verdict: 'approved' }, seen: 'undecided' };
  expect(await decide(approved)).toEqual({ status: 200, said: `{"left":["${media(tour)}"]}` });
  await page.until((live) => live.report.counts.rejected === 2);
  const text = await campaign.read(DECISIONS);
  await campaign.write(DECISIONS, `${text}  - { post: [\n`);
  const broken = await page.until(({ problem }) => problem !== null);
  expect(broken.problem).toContain(`${DECISIONS}:`);
  expect(broken.report.counts).toMatchObject({ done: 2, rejected: 2 });
  expect(await decide({ ...approved, seen: 'rejected' })).toMatchObject({
    status: 409,
    said: expect.stringContaining(DECISIONS) as string,
  });
  await campaign.write(DECISIONS, text);
  await page.until(({ problem }) => problem === null);
  expect(await decide({ media: media(kitchen), decision: null, seen: 'rejected' })).toMatchObject({
    status: 200,
  });
  await page.until((live) => live.report.counts.rejected === 1);
  // The state is replaced, as by a compaction, and gone for a moment.
  const copy = join(campaign.folder, 'copy');
  await writeFile(copy, await readFile(join(campaign.folder, STATE)));
  await rename(join(campaign.folder, STATE), join(campaign.folder, 'aside'));
  await page.until(({ problem }) => problem?.includes('state') === true);
  await rename(copy, join(campaign.folder, STATE));
  await page.until(({ problem }) => problem === null);

  const last = page.until(() => false);
  ui.process.kill('SIGINT');
  await expect(last).rejects.toThrow('ended');
  expect(await ui.end).toMatchObject({
    signal: 'SIGINT',
    stderr: expect.stringMatching(/^  ! The last run [^\n]* no recorded end: [^\n]*\n$/) as string,
  });
  expect((await campaign.files()).filter((file) => file.includes('open-'))).toEqual([]);
});

it('refuses a port in use and a campaign that cannot be read; apply --ui needs a terminal and one manifest', async () => {
  const campaign = await campaignFolder(SMALL, { url: 'http://127.0.0.1:9' });
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as AddressInfo;
  expect(await campaign.run(['ui', 'm.yaml', '--port', String(port)])).toMatchObject({
    code: 64,
    stdout: '',
    stderr: expect.stringContaining(`Port ${port} is in use. Choose another one with --port`) as string,
  });
  taken.close();
  expect(await campaign.run(['ui', 'nowhere.yaml'])).toMatchObject({ code: 65 });
  expect(await campaign.run(['ui', 'm.yaml', 'other.yaml'])).toMatchObject({ code: 64 });
  const refused = await campaign.run(['apply', 'm.yaml', '--ui', '--json']);
  expect(refused.code).toBe(64);
  expect(
    refused.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { type: string }).type),
  ).toEqual(['version', 'diagnostic', 'run-finished']);
});

it('shows a run on the terminal and in the browser, and stays until Ctrl-C with the exit code of the run', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SMALL, service);
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY, NO_COLOR: '1' };
  const apply = startOnScreen(
    ['apply', 'm.yaml', '--ui', '--yes'],
    { cwd: campaign.folder, env },
    { columns: 120 },
  );
  const link = /http:\/\/\S+/.exec(await apply.until(/#[\w-]{43}\s/))?.[0] ?? '';
  const page = followPage(link, await enter(link));
  await page.until((live) => live.report.counts.done === 2 && live.running === null);
  await apply.until(/The page stays until Ctrl-C/);
  apply.keys('\u0003');
  await expect(page.until(() => false)).rejects.toThrow('ended');
  expect(await apply.end()).toMatch(
    /Apply complete: 5 created, 4 files downloaded\.[^]*\n\nThe page stays until Ctrl-C/,
  );
});
