/** Whose results an output folder has, and what becomes of a rename while it is away. */
import { rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { type HeldService, startHeldService } from '../support/held-service.ts';
import { CONFIG, finishMedium, ID, success } from './held-answers.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  PNG,
  SINGLE,
  untilTestEnds,
} from './small-campaign.ts';

const KEY = { CAMPAIGN_API_KEY: API_KEY };
const OUTPUTS = 'outputs: { dir: out }\n';

const bare = () => untilTestEnds(startBareService({ pendingPolls: 0 }));

function manifestFor(environment: string, { url }: { readonly url: string }): string {
  return `${SINGLE}${OUTPUTS}service: { environments: { ${environment}: { base_url: "${url}" } } }\n`;
}

/** Everything after the upload. */
async function makeRest(service: HeldService): Promise<void> {
  (await service.next('POST /concepts/')).respond(201, success({ id: ID.concept }));
  (await service.next('POST /products/')).respond(201, success({ id: ID.product }));
  (await service.next('POST /media-config/')).respond(201, CONFIG);
  await finishMedium(service);
}

async function ownerOf(campaign: CampaignFolder): Promise<string> {
  const index = JSON.parse(await campaign.read('out/index.json')) as Record<string, string>;
  return `${index['campaign']}, ${index['environment']}`;
}

describe('an output folder that another environment or campaign has filled', () => {
  it('is refused before anything is sent', async () => {
    const service = await bare();
    const manifest = manifestFor('live', service);
    const campaign = await campaignFolder(manifest);
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'emulator'])).code).toBe(0);
    const files = (await campaign.files()).filter((file) => file.startsWith('out/'));
    const index = await campaign.read('out/index.json');
    const { code, stderr } = await campaign.run(['apply', 'm.yaml', '--env', 'live'], KEY);
    const line = manifest.slice(0, manifest.indexOf('outputs:')).split('\n').length;
    expect([code, service.requests]).toEqual([65, []]);
    expect(stderr).toBe(
      'error: The output folder has the results of another campaign or environment [outputs-of-another]\n' +
        `  at m.yaml:${line}:17\n` +
        '  out/index.json lists those of the campaign "small" in the environment "emulator". Files of this run would push ' +
        'them aside, so nothing was sent. Give every campaign and environment a folder of its own: leave `outputs.dir` out ' +
        '(out/<name>/<environment>), or write a variable into it that each environment sets. If that is the former name of ' +
        'this campaign or environment, move the index.json away: it is written anew.\n\n',
    );
    await campaign.write('m.yaml', SINGLE.replace('name: small', 'name: other') + OUTPUTS);
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'emulator', '--state', 'o.jsonl'])).code).toBe(
      65,
    );
    expect((await campaign.files()).filter((file) => file.startsWith('out/'))).toEqual(files);
    expect(await campaign.read('out/index.json')).toBe(index);
    await campaign.write('m.yaml', manifest.replace(OUTPUTS, ''));
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'live'], KEY)).code).toBe(0);
  });

  it('goes on under the new name of an environment', async () => {
    const service = await bare();
    const campaign = await campaignFolder(manifestFor('stage', service));
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'stage'], KEY)).code).toBe(0);
    await campaign.write('m.yaml', manifestFor('live', service));
    const use = ['state', 'use', 'm.yaml', 'small.stage.state.jsonl', '--env', 'live', '--yes'];
    expect((await campaign.run(use)).code).toBe(0);
    const item = '      - { key: second, post_type: image, products: [tote], aspect_ratio: "1:1" }\n';
    const withItem = manifestFor('live', service).replace(OUTPUTS, `${item}${OUTPUTS}`);
    await campaign.write('m.yaml', withItem);
    expect((await campaign.run(['apply', 'm.yaml', '--env', 'live'], KEY)).code).toBe(0);
    expect([await ownerOf(campaign), service.created.configs.length]).toEqual(['small, live', 2]);
  });

  it('has its index under the new name also where nothing else is to be done', async () => {
    const service = await bare();
    const campaign = await campaignFolder(manifestFor('stage', service));
    await campaign.run(['apply', 'm.yaml', '--env', 'stage'], KEY);
    await campaign.write('m.yaml', manifestFor('live', service));
    await campaign.run(['state', 'use', 'm.yaml', 'small.stage.state.jsonl', '--env', 'live', '--yes']);
    const { stdout } = await campaign.run(['apply', 'm.yaml', '--env', 'live'], KEY);
    expect(stdout).toMatch(/\nNo changes\.\n$/);
    expect(await ownerOf(campaign)).toBe('small, live');
  });
});

describe('a rename while the output folder is away', () => {
  it('names the files anew once they are back', async () => {
    const service = await bare();
    const campaign = await campaignFolder(SINGLE + OUTPUTS, service);
    await campaign.run(['apply', 'm.yaml']);
    await rename(join(campaign.folder, 'out'), join(campaign.folder, 'away'));
    await campaign.write('m.yaml', (SINGLE + OUTPUTS).replace('hero:', 'banner:'));
    const told = '  ! No result is in out (is a disk missing?): 1 file not renamed yet\n';
    for (const _ of [1, 2]) {
      const { code, stderr } = await campaign.run(['apply', 'm.yaml']);
      expect([code, stderr]).toEqual([0, told]);
    }
    expect((await campaign.files()).filter((file) => file.startsWith('out'))).toEqual([]);
    const state = await campaign.read('small.default.state.jsonl');
    expect(state.match(/"type":"run-finished"/g)).toHaveLength(2);
    await rename(join(campaign.folder, 'away'), join(campaign.folder, 'out'));
    const { code, stderr } = await campaign.run(['apply', 'm.yaml']);
    expect([code, stderr]).toEqual([0, '']);
    expect((await campaign.files()).filter((file) => file.startsWith('out'))).toEqual([
      'out/banner/kitchen-image.png',
      'out/index.json',
    ]);
    const listed = await campaign.run(['outputs', 'm.yaml']);
    expect(listed.stdout).toContain('out/banner/kitchen-image.png');
  });
});

describe('two manifests with one output folder', () => {
  const named = (name: string) => SINGLE.replace('name: small', `name: ${name}`) + OUTPUTS;

  it('cannot both begin: the first one has its name there before it has a file', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder(named('one'), service);
    await campaign.write('n.yaml', named('two'));
    await symlink('out', join(campaign.folder, 'link'));
    await campaign.write('l.yaml', named('three').replace('dir: out', 'dir: link'));
    const first = campaign.runApart(['apply', 'm.yaml']);
    const upload = await service.next('POST /upload-media/');
    expect(await ownerOf(campaign)).toBe('one, default');
    for (const file of ['n.yaml', 'l.yaml'])
      expect(await campaign.runApart(['apply', file])).toMatchObject({ code: 65 });
    upload.respond(200, success('https://cdn.example.com/tote.png'));
    await makeRest(service);
    expect(await first).toMatchObject({ code: 0 });
    expect(await ownerOf(campaign)).toBe('one, default');
    expect((await campaign.files()).filter((file) => file.includes('.bak'))).toEqual([]);
  });

  it('wait for each other where they are the same campaign elsewhere', async () => {
    const service = await untilTestEnds(startHeldService());
    const campaign = await campaignFolder('', service);
    for (const each of ['a', 'b']) {
      await campaign.write(`${each}/m.yaml`, SINGLE + OUTPUTS.replace('dir: out', 'dir: ../out'));
      await campaign.write(`${each}/tote.png`, PNG);
    }
    const apply = (each: string) => campaign.runApart(['apply', `${each}/m.yaml`, '--allow-outside']);
    const first = apply('a');
    const upload = await service.next('POST /upload-media/');
    const { code, stderr } = await apply('b');
    expect([code, stderr]).toEqual([
      75,
      expect.stringMatching(/\.\.\/out is in use by `campaign apply`, process/),
    ]);
    expect(await campaign.run(['outputs', 'b/m.yaml', '--allow-outside'])).toMatchObject({ code: 0 });
    const waiting = campaign.start(['apply', 'b/m.yaml', '--allow-outside', '--lock-timeout', '1m']);
    upload.respond(200, success('https://cdn.example.com/tote.png'));
    await makeRest(service);
    expect(await first).toMatchObject({ code: 0 });
    // Its turn has come.
    await service.next('POST /upload-media/');
    waiting.process.kill('SIGKILL');
    await waiting.end;
  });
});

describe('output folders in each other', () => {
  it('are kept apart where the files of one would come into the other', async () => {
    const inner = SINGLE.replace('name: small', 'name: inner');
    const campaign = await campaignFolder(`${SINGLE}${OUTPUTS}`);
    await campaign.write('n.yaml', `${inner}outputs: { dir: out/hero, name: "{item}-{post_type}" }\n`);
    const apply = (file: string) => campaign.run(['apply', file, '--env', 'emulator']);
    expect(await apply('n.yaml')).toMatchObject({ code: 0 });
    const before = await campaign.read('out/hero/index.json');
    expect(await apply('m.yaml')).toMatchObject({ code: 65 });
    expect(await campaign.read('out/hero/index.json')).toBe(before);
    // The other way round.
    await rm(join(campaign.folder, 'out'), { recursive: true });
    expect(await apply('m.yaml')).toMatchObject({ code: 0 });
    await campaign.write('o.yaml', `${inner.replace('inner', 'third')}outputs: { dir: out/hero }\n`);
    expect(await apply('o.yaml')).toMatchObject({ code: 65 });
    await campaign.write('p.yaml', `${inner.replace('inner', 'fourth')}outputs: { dir: out/fourth }\n`);
    expect(await apply('p.yaml')).toMatchObject({ code: 0 });
    expect(await campaign.run(['outputs', 'm.yaml', '--env', 'emulator', '--verify'])).toMatchObject({
      code: 0,
    });
  });
});

describe('a copied manifest that has kept its name', () => {
  const emulated = (campaign: CampaignFolder, command: string, file: string, ...more: string[]) =>
    campaign.run([command, file, '--env', 'emulator', ...more]);

  it('is refused as long as the other one is there with this name', async () => {
    const campaign = await campaignFolder(SINGLE);
    expect(await emulated(campaign, 'apply', 'm.yaml')).toMatchObject({ code: 0 });
    await campaign.write('n.yaml', SINGLE.replace('Soft light', 'Neon'));
    for (const command of ['plan', 'apply', 'wait']) {
      const { code, stderr } = await emulated(campaign, command, 'n.yaml');
      expect([command, code]).toEqual([command, 65]);
      expect(stderr).toContain('n.yaml and m.yaml are both named "small", in one folder');
    }
    // Also with the state of the other one, and from another folder.
    const state = '.campaign/small.emulator.state.jsonl';
    expect(await emulated(campaign, 'apply', 'n.yaml', '--state', state)).toMatchObject({ code: 65 });
    expect((await campaign.files()).filter((file) => file.includes('.bak'))).toEqual([]);
    await campaign.write('m.yaml', SINGLE.replace('name: small', 'name: spring'));
    const taken = await emulated(campaign, 'apply', 'n.yaml', '--state', state, '--yes');
    expect(taken).toMatchObject({ code: 0 });
    // From now on the state is that of the new one.
    await campaign.write('m.yaml', SINGLE);
    expect(await emulated(campaign, 'plan', 'm.yaml')).toMatchObject({ code: 65 });
  });

  it('is no copy where it is another name of the same file, or a renamed one', async () => {
    const campaign = await campaignFolder(SINGLE);
    const state = ['--state', 'small.jsonl'];
    expect(await emulated(campaign, 'apply', 'm.yaml', ...state)).toMatchObject({ code: 0 });
    await symlink('m.yaml', join(campaign.folder, 'l.yaml'));
    expect(await emulated(campaign, 'apply', 'l.yaml', ...state)).toMatchObject({ code: 0 });
    await rm(join(campaign.folder, 'l.yaml'));
    await rename(join(campaign.folder, 'm.yaml'), join(campaign.folder, 'n.yaml'));
    await campaign.write('n.yaml', SINGLE.replace('4:5', '1:1'));
    expect(await emulated(campaign, 'apply', 'n.yaml', ...state, '--yes')).toMatchObject({ code: 0 });
    await campaign.write('m.yaml', SINGLE);
    expect(await emulated(campaign, 'apply', 'm.yaml', ...state)).toMatchObject({ code: 65 });
  });
});
