import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { OutputRow } from '../../src/views/list-outputs.ts';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { CONFIG, FILE, finishMedium, makeRequest, medium, POLL } from './held-answers.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  PNG,
  SINGLE,
  SMALL,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

const INDEX = 'out/small/default/index.json';
const schemaFile = join(import.meta.dirname, '..', '..', 'schemas', 'index.schema.json');
const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
addFormats(ajv);
const isIndex = ajv.compile(JSON.parse(await readFile(schemaFile, 'utf8')) as object);

interface Index {
  readonly digest: string;
  readonly files: readonly OutputRow[];
}

/** The index as it stands, checked against its schema; it is written row by row, and looks as if it were not. */
async function indexOf(campaign: CampaignFolder): Promise<Index> {
  const text = await campaign.read(INDEX);
  const index = JSON.parse(text) as Index;
  expect(text).toBe(`${JSON.stringify(index, null, 2)}\n`);
  isIndex(index);
  expect(isIndex.errors ?? []).toEqual([]);
  return index;
}

async function bareCampaign(options: Parameters<typeof startBareService>[0] = {}) {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0, ...options }));
  return { service, campaign: await campaignFolder(SMALL, service) };
}

async function git(campaign: CampaignFolder, ...args: string[]): Promise<string> {
  const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const { stdout } = await promisify(execFile)('git', [...who, ...args], { cwd: campaign.folder });
  return stdout.trim();
}

const lineOf = (text: string, part: string) => text.slice(0, text.indexOf(part)).split('\n').length;

describe('index.json', () => {
  it('names of each file the text that asked for it, the ids, the photos and the times', async () => {
    const { service, campaign } = await bareCampaign();
    await git(campaign, 'init', '--quiet');
    await git(campaign, 'add', 'm.yaml', 'tote.png');
    await git(campaign, 'commit', '--quiet', '--message', 'small');
    const commit = await git(campaign, 'rev-parse', 'HEAD');
    await campaign.run(['apply', 'm.yaml']);
    const { files } = await indexOf(campaign);
    const { created } = service;
    const [config] = created.configs;
    expect(files).toHaveLength(4);
    expect(files[0]).toEqual({
      address: 'download/hero/kitchen',
      post: 'hero',
      item: 'kitchen',
      products: ['product/tote'],
      concept: 'concept/morning',
      post_type: 'image',
      aspect_ratio: '4:5',
      take: 1,
      current: true,
      path: 'out/small/default/hero/kitchen-image.png',
      sha256: createHash('sha256').update(PNG).digest('hex'),
      bytes: PNG.length,
      content_type: 'image/png',
      manifest: { file: 'm.yaml', commit, dirty: false, line: lineOf(SMALL, 'key: kitchen') },
      concept_id: created.concepts[0]?.id,
      product_ids: [created.products[0]?.id],
      media_config_id: config?.id,
      item_id: config?.items[0]?.id,
      media_id: config?.items[0]?.id,
      fingerprint: expect.stringMatching(/^[0-9a-f]{32}$/),
      images: [created.uploads[0]?.sha256],
      requested_at: expect.any(String),
      generated_at: expect.any(String),
      downloaded_at: expect.any(String),
    });
    const times = files.map(({ requested_at, generated_at, downloaded_at }) => [
      requested_at,
      generated_at,
      downloaded_at,
    ]);
    for (const each of times) expect(each).toEqual([...each].sort());
    const listed = JSON.parse((await campaign.run(['outputs', 'm.yaml', '--json'])).stdout) as object[];
    const folder = await realpath(campaign.folder);
    const inFolder = files.map((row) => ({ ...row, file: join(folder, row.path) }));
    expect(listed).toEqual(inFolder);
  });

  it('keeps what was true when each was requested, whatever the manifest says by now', async () => {
    const { campaign } = await bareCampaign();
    await git(campaign, 'init', '--quiet');
    await campaign.run(['apply', 'm.yaml', '--only', 'media/hero/kitchen']);
    await git(campaign, 'add', 'm.yaml');
    await git(campaign, 'commit', '--quiet', '--message', 'small');
    const commit = await git(campaign, 'rev-parse', 'HEAD');
    await campaign.write('m.yaml', `# Spring\n\n${SMALL}`);
    await campaign.run(['apply', 'm.yaml']);
    const { files } = await indexOf(campaign);
    const line = lineOf(SMALL, 'key: kitchen');
    expect(files.slice(0, 2).map(({ item, manifest }) => [item, manifest])).toEqual([
      ['kitchen', { file: 'm.yaml', commit: null, dirty: null, line }],
      ['tour', { file: 'm.yaml', commit, dirty: true, line: line + 3 }],
    ]);
  });

  it('does without git, and never shows it a secret', async () => {
    const { campaign } = await bareCampaign();
    await campaign.run(['apply', 'm.yaml', '--only', 'media/hero/kitchen'], { PATH: '/nowhere' });
    expect((await indexOf(campaign)).files[0]?.manifest).toMatchObject({ commit: null, dirty: null });

    await campaign.write(
      'bin/git',
      '#!/bin/sh\nenv > "$PWD/git-env"\necho "# branch.oid nonsense"\nexit 1\n',
    );
    await chmod(join(campaign.folder, 'bin/git'), 0o755);
    const PATH = `${join(campaign.folder, 'bin')}:/usr/bin:/bin`;
    expect(await campaign.run(['apply', 'm.yaml'], { PATH })).toMatchObject({ code: 0 });
    expect(await campaign.read('git-env')).toMatch(/^GIT_TERMINAL_PROMPT=0$/m);
    expect(await campaign.read('git-env')).not.toContain(API_KEY);
    expect((await indexOf(campaign)).files.at(-1)?.manifest).toMatchObject({ commit: null, dirty: null });
  });

  it('is there after a run with failures', async () => {
    const { campaign } = await bareCampaign({ failing: ['1:1'] });
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 1 });
    expect((await indexOf(campaign)).files.map(({ item }) => item)).toEqual(['kitchen']);
  });

  it('is there after a run that was stopped', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const first = campaign.run(['apply', 'm.yaml']);
    await makeRequest(service);
    await finishMedium(service);
    expect(await first).toMatchObject({ code: 0 });
    await rm(join(campaign.folder, INDEX));
    await campaign.write('m.yaml', SINGLE.replace('4:5', '1:1'));
    const second = campaign.start(['apply', 'm.yaml', '--yes']);
    const request = await service.next('POST /media-config/');
    second.process.kill('SIGINT');
    await second.seen(/Stopping/);
    request.respond(201, CONFIG);
    expect(await second.end).toMatchObject({ signal: 'SIGINT' });
    expect((await indexOf(campaign)).files.map(({ take, current }) => [take, current])).toEqual([[1, false]]);
  });

  it('that a killed run left behind is made good by the next one, which leaves the state alone', async () => {
    const { campaign } = await bareCampaign();
    await campaign.run(['apply', 'm.yaml']);
    const whole = await campaign.read(INDEX);
    const state = await campaign.read(STATE);
    const damages = [
      () => rm(join(campaign.folder, INDEX)),
      () => campaign.write(INDEX, whole.replace(/"digest": "../, '"digest": "00')),
      () => campaign.write(INDEX, '{"format_version":"1.0","files":[]}'),
    ];
    for (const damage of damages) {
      await damage();
      const { stdout } = await campaign.run(['apply', 'm.yaml']);
      expect(stdout).toMatch(/\nNo changes\.\n$/);
      expect(await campaign.read(INDEX)).toBe(whole);
      expect(await campaign.read(STATE)).toBe(state);
    }
    await rm(join(campaign.folder, 'out'), { recursive: true });
    await campaign.run(['apply', 'm.yaml']);
    expect((await campaign.files()).filter((file) => file.startsWith('out/'))).toEqual([]);
  });
});

describe('a file whose link has expired', () => {
  it('is fetched by a later run, which asks the medium for a fresh link', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(SINGLE, service);
    const first = campaign.start(['apply', 'm.yaml']);
    await makeRequest(service);
    const info = `${service.url}/files/1.png`;
    (await service.next(POLL)).respond(200, medium('success', { media_info: info }));
    await service.next(FILE);
    first.process.kill('SIGKILL');
    await first.end;

    const second = campaign.run(['apply', 'm.yaml']);
    const fresh = `${service.url}/files/fresh.png`;
    (await service.next(POLL)).respond(200, medium('success', { media_info: fresh }));
    (await service.next('GET /files/fresh.png')).respondRaw(200, PNG);
    expect(await second).toMatchObject({ code: 0 });
    expect((await indexOf(campaign)).files).toMatchObject([{ take: 1, content_type: 'image/png' }]);
    expect((await campaign.files()).filter((file) => file.includes('.part'))).toEqual([]);
  });
});
