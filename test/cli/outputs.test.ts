/** `campaign outputs --verify` and `--fetch`: the recorded bytes are brought again, and nothing else is touched. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { repository } from './cloned-campaign.ts';
import { CONFIG, failure, FILE, finishMedium, makeObjects } from './held-answers.ts';
import { campaignFolder, PNG, SINGLE, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

const schemas = ['index', 'outputs'].map((name) => {
  const url = new URL(`../../schemas/${name}.schema.json`, import.meta.url);
  return JSON.parse(readFileSync(url, 'utf8')) as { $id: string };
});
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictRequired: false, schemas });
addFormats(ajv);
const isRows = ajv.compile({ $ref: schemas[1]?.$id });

const OUT = 'out/small/default/hero';
const KITCHEN = `${OUT}/kitchen-image.png`;
const TOURS = [1, 2, 3].map((n) => `${OUT}/tour-carousel-${n}.png`);

async function applied(manifest = SMALL) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(manifest, service);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  return { service, campaign };
}

/** Every file below a folder with its content. */
async function contents(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.sort().map(async (file) => [file.slice(folder.length + 1), await readFile(file, 'hex')]);
  return Object.fromEntries(await Promise.all(read)) as Record<string, string>;
}

describe('a second machine with a fresh clone', () => {
  it('gets every file byte for byte, without photos, a request that makes something, or a line in the state', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const origin = await repository(service);
    const author = await origin.clone('first');
    await author.write(
      'campaign.yaml',
      (await author.read('campaign.yaml')).replace(/(items:\n)/, `$1${TOUR}`),
    );
    expect(await author.campaign('apply', '--quiet')).toMatchObject({ code: 0 });
    await author.publish('applied');
    const second = await origin.clone('second');
    await rm(join(second.folder, 'tote.png'));
    const state = await second.read('small.production.state.jsonl');
    const out = 'out/small/production';
    const missing = await second.campaign('outputs', '--verify');
    expect(missing).toMatchObject({ code: 1, stderr: '' });
    expect(missing.stdout).toBe(
      `  ✗ download/hero/kitchen  ${out}/hero/kitchen-image.png  missing
  ✗ download/hero/tour  ${out}/hero/tour-carousel-1.png  missing
  ✗ download/hero/tour  ${out}/hero/tour-carousel-2.png  missing
  ✗ download/hero/tour  ${out}/hero/tour-carousel-3.png  missing
4 files: 4 missing.
\`campaign outputs --fetch\` brings them again, and pays nothing.
`,
    );
    const before = service.requests.length;
    const { code, stdout } = await second.campaign('outputs', '--fetch');
    expect({ code, last: stdout.split('\n').at(-2) }).toEqual({ code: 0, last: '4 files: 4 fetched.' });
    expect(await contents(join(second.folder, out))).toEqual(await contents(join(author.folder, out)));
    expect(await second.read('small.production.state.jsonl')).toBe(state);
    expect(await second.git('status', '--porcelain')).toBe(' D tote.png\n');
    const sent = service.requests.slice(before).map(({ method, path }) => `${method} ${path.split('/')[1]}`);
    expect(new Set(sent)).toEqual(new Set(['POST get_auth_token', 'GET media', 'GET files']));

    expect(await second.campaign('outputs', '--verify')).toMatchObject({
      code: 0,
      stdout: '4 files: 4 as recorded.\n',
    });
    const idle = service.requests.length;
    expect(await second.campaign('outputs', '--fetch', '--quiet')).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
    expect(service.requests).toHaveLength(idle);
    // What was fetched is what the next apply works with, once the photo is there again.
    await second.git('checkout', '--', 'tote.png');
    const next = await second.campaign('apply');
    expect(next.stdout).toMatch(/\nNo changes\.\n$/);
  });
});

const TOUR =
  '      - { key: tour, post_type: carousel, products: [tote], aspect_ratio: "1:1", descriptions: [slow turn] }\n';

describe('campaign outputs --fetch', () => {
  it('keeps what stands in the place of a file as a backup, also a second time, and a link', async () => {
    const { campaign } = await applied();
    const state = await campaign.read(STATE);
    for (const n of [1, 2]) {
      await campaign.write(KITCHEN, `retouched ${n}`);
      const { code, stdout } = await campaign.run([
        'outputs',
        'm.yaml',
        '--fetch',
        '--only',
        'media/hero/kitchen',
      ]);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout:
          `  ✓ download/hero/kitchen  ${KITCHEN}  fetched; what stood there is ${OUT}/kitchen-image.bak${n}.png\n` +
          '1 file: 1 fetched.\n',
      });
      expect(await campaign.read(`${OUT}/kitchen-image.bak${n}.png`)).toBe(`retouched ${n}`);
      expect(await readFile(join(campaign.folder, KITCHEN))).toEqual(PNG);
    }
    await rm(join(campaign.folder, KITCHEN));
    await campaign.write('elsewhere.png', 'mine');
    await symlink('../../../../elsewhere.png', join(campaign.folder, KITCHEN));
    expect(await campaign.run(['outputs', 'm.yaml', '--fetch'])).toMatchObject({ code: 0 });
    expect(await campaign.read('elsewhere.png')).toBe('mine');
    expect(await campaign.read(`${OUT}/kitchen-image.bak3.png`)).toBe('mine');
    expect(await campaign.read(STATE)).toBe(state);
    expect((await campaign.files()).filter((file) => /\.part/.test(file))).toEqual([]);
  });

  it('leaves what it may not replace, and goes through no link below the output folder', async () => {
    const { campaign } = await applied();
    const files = [KITCHEN, ...TOURS].map((file) => join(campaign.folder, file));
    await rm(files[0] ?? '');
    await promisify(execFile)('mkfifo', [files[0] ?? '']);
    await rm(files[2] ?? '');
    await mkdir(files[2] ?? '');
    const { code, stdout } = await campaign.run(['outputs', 'm.yaml', '--fetch']);
    expect(code).toBe(74);
    expect(stdout).toContain(`${KITCHEN}  cannot be read as a file\n        The output cannot be written: `);
    expect(stdout).toContain('kitchen-image.png is a pipe in the place of a file of campaign. Move it away');
    expect(stdout).toContain('tour-carousel-2.png is a folder in the place of a file of campaign.');

    const hero = join(campaign.folder, OUT);
    await rename(hero, join(campaign.folder, 'aside'));
    await mkdir(join(campaign.folder, 'other'));
    await symlink('../../../other', hero);
    const linked = await campaign.run(['outputs', 'm.yaml', '--fetch']);
    expect(linked).toMatchObject({ code: 74 });
    expect(linked.stdout).toContain('is a symbolic link in the place of a file of campaign');
    expect(await readdir(join(campaign.folder, 'other'))).toEqual([]);
  });

  it('makes the index true, and takes no folder of another campaign', async () => {
    const { campaign } = await applied();
    const index = await campaign.read('out/small/default/index.json');
    await rm(join(campaign.folder, 'out'), { recursive: true });
    await campaign.write('out/small/default/index.json', index.replace('"digest": "', '"digest": "0'));
    expect(await campaign.run(['outputs', 'm.yaml', '--fetch'])).toMatchObject({ code: 0 });
    expect(await campaign.read('out/small/default/index.json')).toBe(index);
    await rm(join(campaign.folder, OUT), { recursive: true });
    const other = JSON.stringify({
      format_version: '1.0',
      campaign: 'other',
      environment: 'live',
      files: [],
    });
    await campaign.write('out/small/default/index.json', other);
    const refused = await campaign.run(['outputs', 'm.yaml', '--fetch']);
    expect(refused).toMatchObject({ code: 65, stdout: '' });
    expect(refused.stderr).toContain('The output folder has the results of another campaign');
    expect(await campaign.read('out/small/default/index.json')).toBe(other);
  });

  it('replaces nothing where the service gives other bytes, a page, or nothing, and says so for each file', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const first = campaign.start(['apply', 'm.yaml']);
    await makeObjects(service);
    const request = await service.next('POST /media-config/');
    // While a run uses the state, its files may be renamed.
    const locked = await campaign.run(['outputs', 'm.yaml', '--fetch']);
    expect(locked).toMatchObject({ code: 75, stdout: '' });
    expect(locked.stderr).toContain('is in use by `campaign apply`');
    request.respond(201, CONFIG);
    await finishMedium(service);
    expect(await first.end).toMatchObject({ code: 0 });
    const state = await campaign.read(STATE);
    await campaign.write(KITCHEN, 'retouched');

    const fetch = () => campaign.run(['outputs', 'm.yaml', '--fetch', '--json']);
    const rowOf = async (end: ReturnType<typeof fetch>) => {
      const { code, stdout } = await end;
      isRows(JSON.parse(stdout));
      expect(isRows.errors ?? []).toEqual([]);
      const [{ status, problem }] = JSON.parse(stdout) as [{ status: string; problem: object }];
      return { code, status, problem };
    };
    const other = fetch();
    for (let attempt = 0; attempt < 2; attempt += 1)
      (await service.next(FILE)).respondRaw(200, '<html>', { 'content-type': 'text/html' });
    expect(await rowOf(other)).toEqual({
      code: 1,
      status: 'differs',
      problem: {
        summary: 'The service gives other bytes than were recorded',
        detail: expect.stringMatching(
          /^out\/.*kitchen-image\.png: what the service gives now \(text\/html, 6 bytes\) has the SHA-256 b7d082ee12e9…; the recorded file \(100 bytes\) has [0-9a-f]{12}…\. Nothing was replaced$/,
        ),
      },
    });
    const refused = fetch();
    for (let attempt = 0; attempt < 2; attempt += 1)
      (await service.next(FILE)).respond(404, failure('expired'));
    expect(await rowOf(refused)).toMatchObject({ code: 1, status: 'differs' });
    expect(await campaign.read(KITCHEN)).toBe('retouched');
    expect((await campaign.files()).filter((file) => /\.(bak|part)/.test(file))).toEqual([]);
    expect(await campaign.read(STATE)).toBe(state);
  });

  it('says that a post is gone, and what nobody can ask for any more', async () => {
    const { service, campaign } = await applied();
    await rm(join(campaign.folder, 'out'), { recursive: true });
    for (const config of service.created.configs) config.items = [];
    const { code, stdout } = await campaign.run(['outputs', 'm.yaml', '--fetch', '--only', '*kitchen']);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout:
        `  ✗ download/hero/kitchen  ${KITCHEN}  missing\n` +
        '        The finished post is not there: It was finished, and now the service says 404 for it: the next run looks again.\n' +
        '1 file: 1 missing.\n',
    });
  });
});

describe('campaign outputs', () => {
  it('is CSV for programs and spreadsheets, with one head for all manifests', async () => {
    const { campaign } = await applied(SINGLE);
    await campaign.write('n.yaml', SINGLE.replace('name: small', 'name: more'));
    expect(await campaign.run(['apply', 'n.yaml'])).toMatchObject({ code: 0 });
    const csv = await campaign.run(['outputs', 'm.yaml', 'n.yaml', '--format', 'csv', '--verify']);
    const lines = csv.stdout.split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toMatch(/^campaign,environment,address,post,item,take,.*,status,problem,backup$/);
    expect(lines[1]).toMatch(
      /^small,default,download\/hero\/kitchen,hero,kitchen,1,true,image,4:5,product\/tote,concept\/morning,out\/small\/default\/hero\/kitchen-image\.png,[0-9a-f]{64},100,image\/png,,m\.yaml,,,11,.*,ok,,$/,
    );
    expect(lines[2]).toMatch(/^more,default,/);

    const absolute = await campaign.run(['outputs', 'm.yaml', '--json', '--absolute']);
    const rows = JSON.parse(absolute.stdout) as [{ path: string; file: string }];
    isRows(rows);
    expect(isRows.errors ?? []).toEqual([]);
    const [row] = rows;
    expect(row.path).toBe(row.file);
    expect(row.path).toMatch(/^\/.*kitchen-image\.png$/);
    const text = await campaign.run(['outputs', 'm.yaml', '--absolute']);
    expect(text.stdout).toContain(`  ${row.path}\n`);
    const both = await campaign.run(['outputs', 'm.yaml', 'n.yaml', '--json']);
    const lists = both.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object[]);
    for (const list of lists) {
      isRows(list);
      expect(isRows.errors ?? []).toEqual([]);
    }
    const named = { environment: 'default', manifest: { line: 11 } };
    expect(lists).toMatchObject([[{ campaign: 'small', ...named }], [{ campaign: 'more', ...named }]]);
    const relative = await campaign.run(['outputs', 'm.yaml', '--format', 'json']);
    expect(relative.stdout).toBe((await campaign.run(['outputs', 'm.yaml', '--json'])).stdout);
    expect(relative.stdout).toContain(`"path":"out/small/default/hero/kitchen-image.png"`);
  });

  it('refuses a glob that no file has, and --verify with --fetch', async () => {
    const { campaign } = await applied(SINGLE);
    const unmatched = await campaign.run(['outputs', 'm.yaml', '--verify', '--only', 'media/her/*']);
    expect(unmatched).toMatchObject({ code: 64, stdout: '' });
    expect(unmatched.stderr).toContain('media/her/* matches no address');
    expect(await campaign.run(['outputs', 'm.yaml', '--verify', '--exclude', '*kitchen'])).toMatchObject({
      code: 0,
      stdout: 'No finished file yet.\n',
    });
    expect(await campaign.run(['outputs', 'm.yaml', '--verify', '--fetch'])).toMatchObject({ code: 64 });
    // Of several manifests, one has to have it.
    await campaign.write('n.yaml', SINGLE.replace('name: small', 'name: more'));
    const two = (...flags: string[]) => campaign.run(['outputs', 'm.yaml', 'n.yaml', '--verify', ...flags]);
    expect(await two('--only', 'media/hero/*')).toMatchObject({ code: 0 });
    expect(await two('--only', 'media/her/*')).toMatchObject({ code: 64 });
    await campaign.write('fresh.yaml', SINGLE.replace('name: small', 'name: fresh'));
    expect(await campaign.run(['outputs', 'fresh.yaml', '--fetch'])).toMatchObject({
      code: 0,
      stdout: 'No finished file yet.\n',
    });
    expect(await campaign.files()).not.toContain('fresh.default.state.jsonl');
  });
});
