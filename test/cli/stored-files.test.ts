/** `--files`: photos and results of a run are in a storage, and come from there (the commands of docs/scale.md). */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { placesOf } from '../support/find-secret.ts';
import { contentsOf } from '../support/contents-of.ts';
import { type Lie, type Seen, s3Error, startLyingS3 } from '../support/lying-s3.ts';
import { BUCKET, startS3Server } from '../support/s3-server.ts';
import { campaignFolder, PNG, SINGLE, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

describe('the files of a run', () => {
  it('are in an S3 store alone, and come back byte for byte as the service gives them', async () => {
    const s3 = await untilTestEnds(startS3Server());
    const campaign = await campaignFolder(SMALL);
    await campaign.write(
      'fast.yaml',
      'description: At once.\nswitches: { generation: { image: 1ms, carousel: 1ms } }\n',
    );
    const url = `s3://${BUCKET}/team a/+%/ü/`;
    const run = (...args: string[]) =>
      campaign.run([...args, 'm.yaml', '--env', 'emulator'], { ...s3.env, CAMPAIGN_FILES: url });
    const applied = await run('apply', '--profile', 'fast.yaml');
    expect(applied).toMatchObject({ code: 0 });
    const out = 'out/small/emulator';
    expect(applied.stdout).toContain(
      `Apply complete: 5 created, 4 files downloaded.\nThe files are in ${url}; \`campaign outputs m.yaml --env emulator --fetch\` brings them to ${out}.\n`,
    );
    expect((await campaign.files()).filter((file) => /^out|campaign\/files/.test(file))).toEqual([]);
    expect(await run('outputs', '--verify')).toMatchObject({
      code: 0,
      stdout: '4 files: 4 as recorded.\n',
    });
    const state = await campaign.read('.campaign/small.emulator.state.jsonl');
    expect(await run('outputs', '--fetch')).toMatchObject({ code: 0, stderr: '' });
    const stored = await contentsOf(join(campaign.folder, out));
    expect(Object.keys(stored)).toHaveLength(5);
    expect(new Set(Object.values(stored)).size).toBe(5);
    await rename(join(campaign.folder, out), join(campaign.folder, 'before'));
    const direct = await campaign.run(['outputs', '--fetch', 'm.yaml', '--env', 'emulator']);
    expect(direct).toMatchObject({ code: 0 });
    expect(await contentsOf(join(campaign.folder, out))).toEqual(stored);
    expect(await campaign.read('.campaign/small.emulator.state.jsonl')).toBe(state);
    expect((await run('apply')).stdout).toMatch(/\nNo changes\.\n$/);
  });

  it('are in a shared folder, with an index that says which object is which file', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const shared = join(campaign.folder, 'shared');
    await mkdir(shared);
    const url = `file://${shared}`;
    const applied = await campaign.run(['apply', 'm.yaml', '--files', url]);
    expect(applied.stdout).toContain(
      `The files are in ${url}; \`campaign outputs m.yaml --files ${url} --fetch\` brings them to out/small/default.\n`,
    );
    const index = JSON.parse(await readFile(join(shared, 'index/small.default.json'), 'utf8')) as object;
    const photo = '87095ce8b488ab5bb098f36bab360f9983042771e6fe986beea54850a1f15f29';
    expect(index).toMatchObject({
      campaign: 'small',
      files: [{ path: RESULT, sha256: photo, object: `outputs/${photo}.png` }],
    });
    const objects = [
      `outputs/${photo}.png`,
      `outputs/${TRIAL}`,
      `photos/${photo}`,
      'index/small.default.json',
    ];
    const there = (await readdir(shared, { recursive: true })).sort();
    expect(there).toEqual(['index', 'outputs', 'photos', ...objects].sort());
    // An index that a killed run did not write is made by the next one.
    await rm(join(shared, 'index'), { recursive: true });
    await writeFile(join(campaign.folder, 'm.yaml'), `${SINGLE}# later\n`);
    expect(await campaign.run(['apply', 'm.yaml', '--files', url])).toMatchObject({ code: 0 });
    expect(await readFile(join(shared, 'index/small.default.json'), 'utf8')).toContain(photo);
    await rm(join(shared, 'photos', photo));
    const fetched = await campaign.run(['outputs', '--fetch', 'm.yaml', '--files', url]);
    expect(fetched).toMatchObject({ code: 0, stdout: expect.stringContaining('1 fetched') as string });
    // Nothing else says which object was which post.
    const before = await contentsOf(shared);
    expect(
      await campaign.run(['destroy', 'm.yaml', '--yes', '--files'], { CAMPAIGN_FILES: url }),
    ).toMatchObject({ code: 0 });
    expect(await contentsOf(shared)).toEqual(before);
    expect(Object.keys(before)).toContain('index/small.default.json');
  });
});

/** Shows before a run whether results can be put beside it. */
const TRIAL = `${createHash('sha256').update(readFileSync('package.json')).digest('hex')}.txt`;
const RESULT = 'out/small/default/hero/kitchen-image.png';

const KEYS = { AWS_ACCESS_KEY_ID: 'AKIACANARY0001', AWS_SECRET_ACCESS_KEY: 'canary/secret+0002' };
const OBJECT = /^PUT \/campaign-tests\/outputs\/.*\.png$/;

/** A campaign whose storage is an S3 server behind a front that may lie. */
async function withLies(lie: (seen: Seen) => Lie | undefined) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  const s3 = await untilTestEnds(startS3Server());
  const front = await untilTestEnds(startLyingS3(s3.port, lie));
  const env = { ...s3.env, AWS_ENDPOINT_URL_S3: front.url, CAMPAIGN_FILES: `s3://${BUCKET}` };
  return {
    service,
    campaign,
    s3,
    front,
    env,
    run: (...args: string[]) => campaign.run([...args, 'm.yaml'], env),
  };
}

describe('a storage in trouble', () => {
  it('that refuses is told before anything is asked of the service, without a secret anywhere', async () => {
    const { service, campaign, front, env } = await withLies(() => undefined);
    const { code, stdout, stderr } = await campaign.run(['apply', 'm.yaml'], { ...env, ...KEYS });
    expect({ code, requests: service.requests }).toEqual({ code: 77, requests: [] });
    expect(stderr).toContain('The storage refuses the credentials');
    const { code: examined, stdout: checks } = await campaign.run(['doctor', 'm.yaml'], { ...env, ...KEYS });
    expect({ examined, checks }).toMatchObject({
      examined: 77,
      checks: expect.stringContaining('refuses the credentials'),
    });
    const nobody = await campaign.run(['apply', 'm.yaml'], { ...env, AWS_SECRET_ACCESS_KEY: '' });
    expect(nobody).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('AWS_SECRET_ACCESS_KEY is not set'),
    });
    const inUrl = `s3://${KEYS.AWS_ACCESS_KEY_ID}:${KEYS.AWS_SECRET_ACCESS_KEY}@bucket`;
    const told = await campaign.run(['apply', 'm.yaml', '--json'], { ...env, CAMPAIGN_FILES: inUrl });
    expect(told).toMatchObject({ code: 64 });
    const texts = { stdout, stderr, checks, told: told.stdout + told.stderr, nobody: nobody.stderr };
    expect(front.seen.length).toBeGreaterThan(0);
    expect(await placesOf(Object.values(KEYS), { folder: campaign.folder, texts })).toEqual([]);
    expect(service.created.uploads).toEqual([]);
  });

  it('that may only be read is told before anything is created, also where it has the photos already', async () => {
    const denied: Lie = { status: 403, body: s3Error('AccessDenied') };
    let isReadOnly = false;
    const { service, campaign, front, run } = await withLies(({ method }) =>
      isReadOnly && method === 'PUT' ? denied : undefined,
    );
    expect(await run('apply')).toMatchObject({ code: 0 });
    const made = service.requests.length;
    const sent = front.seen.length;
    await campaign.write('m.yaml', SINGLE.replace('aspect_ratio: "4:5"', 'aspect_ratio: "1:1"'));
    isReadOnly = true;
    const refused = await run('apply', '--yes');
    expect(refused).toMatchObject({
      code: 77,
      stderr: expect.stringMatching(
        /The storage refuses the request[^]*PUT outputs\/[^]*s3:PutObject/,
      ) as string,
    });
    expect(service.requests.slice(made).filter(({ path }) => !path.includes('token'))).toEqual([]);
    // It looks at the index, and puts one object.
    expect(front.seen.slice(sent).map(({ method }) => method)).toEqual(['GET', 'PUT']);
    isReadOnly = false;
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(service.created.configs).toHaveLength(2);
  });

  it('that works is tried by doctor without the right to remove, with the object that an apply needs anyway', async () => {
    const { campaign, env, s3, front } = await withLies(() => undefined);
    const { code, stdout } = await campaign.run(['doctor', 'm.yaml', '--json'], env);
    const check = { type: 'check', check: 'storage', status: 'ok' };
    const summary = `s3://${BUCKET} can be written to and read`;
    expect(code).toBe(0);
    expect(stdout.split('\n').find((line) => line.includes('"storage"'))).toBe(
      JSON.stringify({ ...check, summary }),
    );
    const objects = async () =>
      new Set(
        (await readdir(join(s3.directory, BUCKET), { recursive: true })).map((name) => name.split('._')[0]),
      );
    expect(await objects()).toEqual(new Set(['outputs', `outputs/${TRIAL}`]));
    expect(await campaign.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    expect([...(await objects())].filter((name) => name?.endsWith('.txt'))).toEqual([`outputs/${TRIAL}`]);
    expect(front.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it('that takes no result ends the run with 74; the next one downloads it, and pays nothing again', async () => {
    let isDown = true;
    const full: Lie = { status: 403, body: s3Error('QuotaExceeded') };
    const { service, campaign, run } = await withLies(({ method, path }) =>
      isDown && OBJECT.test(`${method} ${path}`) ? full : undefined,
    );
    const failed = await run('apply');
    expect(failed).toMatchObject({ code: 74 });
    expect(failed.stdout + failed.stderr).toContain('QuotaExceeded');
    isDown = false;
    expect(await run('apply')).toMatchObject({ code: 0 });
    expect(service.created.configs).toHaveLength(1);
    expect(await run('outputs', '--verify')).toMatchObject({ code: 0 });
    expect((await campaign.files()).filter((file) => /^out|\.campaign\/files/.test(file))).toEqual([]);
  });

  it('that lost or exchanged a result says so, and gets it again from the service', async () => {
    let lie: Lie | undefined;
    const { campaign, run, env } = await withLies(({ method, path }) =>
      method === 'GET' && path.includes('/outputs/') ? lie : undefined,
    );
    expect(await run('apply')).toMatchObject({ code: 0 });
    const state = await campaign.read(STATE);
    lie = { status: 404, body: s3Error('NoSuchKey') };
    expect(await run('outputs', '--verify')).toMatchObject({
      code: 1,
      stdout: `  ✗ download/hero/kitchen  ${RESULT}  missing\n1 file: 1 missing.\n\`campaign outputs m.yaml --fetch\` brings them again, and pays nothing.\n`,
    });
    lie = { status: 200, body: 'forged' };
    expect((await run('outputs', '--verify')).stdout).toMatch(
      /differs from its SHA-256\n1 file: 1 differs\.\nRemove from the storage what differs there, then `campaign [^`]* --fetch` brings/,
    );
    const fetched = await run('outputs', '--fetch');
    expect(fetched.code).toBe(0);
    expect(fetched.stdout).toMatch(/✓ .* fetched\n +The storage has other bytes than were put there/);
    expect(Buffer.from(await readFile(join(campaign.folder, RESULT)))).toEqual(PNG);
    lie = undefined;
    expect(await run('outputs', '--verify')).toMatchObject({ code: 0 });
    // Without the service, it says what is missing and ends with 1.
    await rm(join(campaign.folder, RESULT));
    lie = { status: 404, body: s3Error('NoSuchKey') };
    const alone = await campaign.run(['outputs', '--fetch', 'm.yaml'], { ...env, CAMPAIGN_API_KEY: '' });
    expect(alone.code).toBe(78);
    expect(await campaign.read(STATE)).toBe(state);
  });

  it('gets what only the folder has: a campaign that had no storage before', async () => {
    const { campaign, run, s3 } = await withLies(() => undefined);
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    expect(await run('outputs', '--verify')).toMatchObject({ code: 1 });
    expect(await run('outputs', '--fetch')).toMatchObject({ code: 0, stdout: '1 file: 1 as recorded.\n' });
    expect(await run('outputs', '--verify')).toMatchObject({ code: 0 });
    expect(await readdir(join(s3.directory, BUCKET))).toEqual(['index', 'outputs']);
  });

  it('does not lose a result when the run is killed between the storage and the state', async () => {
    let kill = () => {};
    const { service, campaign, run, env } = await withLies(({ method, path }) => {
      // The object was put, and the run asks whether it is there.
      if (method === 'HEAD' && /\/outputs\/.*\.png$/.test(path)) kill();
      return undefined;
    });
    const started = campaign.start(['apply', 'm.yaml'], env);
    kill = () => {
      kill = () => {};
      started.process.kill('SIGKILL');
    };
    expect(await started.end).toMatchObject({ signal: 'SIGKILL' });
    expect(await run('apply')).toMatchObject({ code: 0 });
    expect(service.created.configs).toHaveLength(1);
    expect(await run('outputs', '--verify')).toMatchObject({ code: 0, stdout: '1 file: 1 as recorded.\n' });
  });
});
