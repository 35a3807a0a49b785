/** Reports and pages of a campaign whose results are in a storage alone (docs/scale.md). */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { expect, it, onTestFinished } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { contentsOf } from '../support/contents-of.ts';
import { type Lie, s3Error, startLyingS3 } from '../support/lying-s3.ts';
import { noisyPicture } from '../support/media-samples.ts';
import { reportDataIn } from '../support/report-data-in.ts';
import { BUCKET, startS3Server } from '../support/s3-server.ts';
import { ask, enter, followPage, partsOf } from '../ui/ui-client.ts';
import { campaignFolder, PNG, SINGLE, SMALL, untilTestEnds } from './small-campaign.ts';

const OUT = 'out/small/default';

/** Applied with a storage behind a front that may lie: nothing of the results is in the folder. */
async function applied(manifest = SMALL, ...flags: string[]) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(manifest, service);
  // The results of this service are all the same, and like the usual photo.
  await campaign.write('tote.png', await noisyPicture('png', 8));
  await campaign.write(
    'fast.yaml',
    'description: At once.\nswitches: { generation: { image: 1ms, video: 1ms } }\n',
  );
  const s3 = await untilTestEnds(startS3Server());
  let lie: (line: string) => Lie | undefined = () => undefined;
  const front = await untilTestEnds(startLyingS3(s3.port, ({ method, path }) => lie(`${method} ${path}`)));
  const env = { ...s3.env, AWS_ENDPOINT_URL_S3: front.url, CAMPAIGN_FILES: `s3://${BUCKET}/team` };
  expect(await campaign.run(['apply', 'm.yaml', ...flags], env)).toMatchObject({ code: 0 });
  expect((await campaign.files()).filter((file) => file.startsWith('out'))).toEqual([]);
  /** What a command asked of the storage. */
  const asked = async (args: readonly string[], by: typeof lie = () => undefined) => {
    lie = by;
    const before = front.seen.length;
    const end = await campaign.run(args, env);
    lie = () => undefined;
    const lines = front.seen.slice(before).map(({ method, path }) => `${method} ${path.split('/')[3] ?? ''}`);
    return { end, reads: lines.filter((line) => line.startsWith('GET')), lines };
  };
  const data = async (file = `${OUT}/report.html`) => reportDataIn(await campaign.read(file));
  return { service, campaign, front, env, asked, data };
}

const REPORT = ['report', 'm.yaml'];
const forgetting = (folder: string, ...names: string[]) =>
  Promise.all(names.map((name) => rm(join(folder, '.campaign', name), { recursive: true })));

it('a report reads each object once, and says what the storage lost, exchanged or refuses', async () => {
  const { campaign, asked, data, env } = await applied();
  const first = await asked(REPORT);
  expect(first.end).toMatchObject({ code: 0, stderr: '' });
  expect(first.end.stdout).toMatch(/: 2 posts, 5 pictures, 0\.\d MB\.\n$/);
  expect(first.reads).toEqual(['GET outputs']);
  const { pictures } = await data();
  const [photo] = pictures.slice(-1);
  expect(photo).toMatchObject({ path: '../../../tote.png', problem: null });
  for (const picture of pictures.slice(0, 4))
    expect(picture).toMatchObject({ path: null, problem: null, width: 2, kind: 'image' });
  const html = await campaign.read(`${OUT}/report.html`);
  for (const secret of [BUCKET, env.AWS_ENDPOINT_URL_S3, env.AWS_SECRET_ACCESS_KEY, campaign.folder])
    expect(html).not.toContain(secret);
  expect((await asked(REPORT)).reads).toEqual([]);
  // Small pictures are made again from what was read.
  await forgetting(campaign.folder, 'thumbnails');
  expect(await asked(REPORT)).toMatchObject({ end: { code: 0 }, reads: [] });

  const lost = await asked(REPORT, () => ({ status: 404, body: s3Error('NoSuchKey') }));
  expect(lost.end.stdout).toContain('5 pictures, 4 of them not here or damaged');
  expect((await data()).pictures[0]?.problem).toBe('The file is neither here nor in the storage.');
  const cut: Lie = { status: 200, headers: { 'content-length': '7' } };
  await asked(REPORT, (line) => (line.startsWith('HEAD') ? cut : undefined));
  const differs = 'The file is not here, and what the storage has is not what was recorded.';
  expect((await data()).pictures[0]?.problem).toBe(differs);

  await forgetting(campaign.folder, 'thumbnails', 'stored');
  const forged: Lie = { status: 200, body: '<html>'.padEnd(PNG.length) };
  const other = await asked(REPORT, (line) => (line.startsWith('GET') ? forged : undefined));
  expect(other.end).toMatchObject({ code: 0, stderr: '' });
  expect((await data()).pictures[0]).toMatchObject({ problem: differs, path: null, width: 0 });

  const refused = await asked(REPORT, () => ({ status: 403, body: s3Error('ExpiredToken') }));
  expect(refused.end).toMatchObject({ code: 0 });
  expect(refused.end.stderr).toMatch(
    /^ {2}! The credentials for the storage have expired: [^\n]*, ExpiredToken, no\. Get new ones, [^\n]*\n$/,
  );
  expect((await data()).pictures[0]?.problem).toBe('The file is not here, and the storage cannot be asked.');
  const nobody = await campaign.run(REPORT, { ...env, AWS_SECRET_ACCESS_KEY: '' });
  expect(nobody).toMatchObject({ code: 0, stderr: expect.stringContaining('is not set') as string });
  await forgetting(campaign.folder, 'stored');
  await writeFile(join(campaign.folder, '.campaign/stored'), 'in the way');
  const inTheWay = await asked(REPORT);
  expect(inTheWay.end).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('stored is a file') as string,
  });
});

it('an archive has the files themselves, and a video is named where a page cannot show it', async () => {
  const video = SINGLE.replace('post_type: image', 'post_type: video');
  const emulator = ['--env', 'emulator'];
  const { campaign, asked, data } = await applied(video, ...emulator, '--profile', 'fast.yaml');
  const page = await asked([...REPORT, ...emulator]);
  expect(page.end.stdout).toContain('2 pictures, 1 of them not here or damaged');
  expect((await data('out/small/emulator/report.html')).pictures[0]).toMatchObject({
    kind: 'video',
    path: null,
    problem: 'The file is in the storage, not here.',
  });
  expect(page.reads).toEqual([]);
  const zip = await asked([...REPORT, ...emulator, '--out', 'all.zip']);
  expect(zip.end).toMatchObject({ code: 0, stdout: expect.not.stringContaining('not here') as string });
  const packed = unzipSync(new Uint8Array(await readFile(join(campaign.folder, 'all.zip'))));
  expect(await campaign.run(['outputs', 'm.yaml', '--fetch', ...emulator])).toMatchObject({ code: 0 });
  const out = 'out/small/emulator';
  const fetched = await contentsOf(join(campaign.folder, out));
  const [name = ''] = Object.keys(fetched).filter((each) => each.startsWith('hero/'));
  expect(Buffer.from(packed[`files/${out}/${name}`] ?? [])).toEqual(
    await readFile(join(campaign.folder, out, name)),
  );
});

it('a live page shows small and whole pictures from there, and status misses no file', async () => {
  const { campaign, env, front } = await applied(SINGLE);
  const status = await campaign.run(['status', 'm.yaml', '--json'], env);
  expect(JSON.parse(status.stdout)).toMatchObject({ done: 1, files_missing: 0, next: [] });
  const ui = campaign.start(['ui', 'm.yaml', '--json'], env);
  onTestFinished(() => void ui.process.kill('SIGKILL'));
  const { url: link } = JSON.parse(await ui.seen(/"url"/)) as { url: string };
  const cookie = await enter(link);
  const page = followPage(link, cookie);
  const { report } = await page.until(() => true);
  const sha256 = report.pictures[0]?.sha256 ?? '';
  const path = `${partsOf(link).folder}picture/${sha256}`;
  const get = (size: string) => ask(link, { path: `${path}?size=${size}`, headers: { cookie } });
  expect(await get('full')).toMatchObject({ status: 200, body: PNG });
  expect(await get('thumbnail')).toMatchObject({ status: 200, headers: { 'content-type': 'image/webp' } });
  await forgetting(campaign.folder, 'stored');
  front.server.close();
  front.server.closeAllConnections();
  const gone = await get('full');
  expect({ status: gone.status, said: gone.body.toString() }).toEqual({
    status: 404,
    said: 'The file is not here, and the storage cannot be asked.\n',
  });
  ui.process.kill('SIGINT');
  expect(await ui.end).toMatchObject({ stderr: expect.stringContaining('The storage does not') as string });
});

it('destroy --files removes nothing from the storage, and says so', async () => {
  const { campaign, env, asked } = await applied(SINGLE);
  expect(await campaign.run(['outputs', 'm.yaml', '--fetch'], env)).toMatchObject({ code: 0 });
  const refused = await asked(['destroy', 'm.yaml', '--files']);
  expect(refused.end.stderr).toContain('and their files here; what is in the storage stays there. None');
  const { end, lines } = await asked(['destroy', 'm.yaml', '--files', '--yes']);
  expect(end).toMatchObject({ code: 0 });
  expect(end.stdout + end.stderr).toContain('What is in the storage stays there: campaign removes nothing');
  expect(lines).toEqual([]);
  expect((await campaign.files()).filter((file) => file.startsWith('out'))).toEqual([]);
});

it('a command that is told as the next step takes the storage that was named', async () => {
  const { campaign, env } = await applied(SINGLE);
  const { CAMPAIGN_FILES, ...rest } = env;
  const named = ['--files', CAMPAIGN_FILES];
  await campaign.write('m.yaml', SINGLE.replace('Soft light', 'Hard light'));
  const { stdout } = await campaign.run(['status', 'm.yaml', ...named, '--json'], rest);
  const { next } = JSON.parse(stdout) as { next: { command: string }[] };
  expect(next.map(({ command }) => command)).toContain(
    `campaign state accept m.yaml --files ${CAMPAIGN_FILES}`,
  );
  const accepted = await campaign.run(['state', 'accept', 'm.yaml', ...named], rest);
  expect(accepted).toMatchObject({ code: 0 });
});
