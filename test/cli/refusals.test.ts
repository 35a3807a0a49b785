import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, stat, symlink } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { CLI } from '../support/run-cli.ts';
import { campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

const start = async () => {
  const service = await untilTestEnds(startBareService());
  return { service, campaign: await campaignFolder(SINGLE, service) };
};

describe('what one campaign alone can have', () => {
  it.each([
    ['apply', '--state'],
    ['apply', '--plan'],
    ['plan', '--out'],
    ['status', '--state'],
  ])('%s %s with two manifests is refused before anything is done', async (command, flag) => {
    const { service, campaign } = await start();
    await campaign.write('n.yaml', SINGLE.replace('name: small', 'name: other'));
    const { code, stderr } = await campaign.run([command, 'm.yaml', 'n.yaml', flag, 'one.file']);
    expect([code, stderr]).toEqual([
      64,
      `error: Too many manifests [one-manifest]\n  ${flag} belongs to one campaign: name one manifest.\n\n`,
    ]);
    expect(service.requests).toEqual([]);
  });
});

describe('a saved plan', () => {
  it.each(['--only', '--exclude', '--replace'])('is not changed by %s', async (flag) => {
    const { service, campaign } = await start();
    expect(await campaign.run(['plan', 'm.yaml', '--out', 'p.json'])).toMatchObject({ code: 0 });
    const { code, stderr } = await campaign.run([
      'apply',
      'm.yaml',
      '--plan',
      'p.json',
      flag,
      'media/hero/kitchen',
    ]);
    expect(code).toBe(64);
    expect(stderr).toContain(
      `error: The saved plan stands [fixed-by-plan]\n  ${flag} decides what a plan holds`,
    );
    expect(service.requests).toEqual([]);
  });

  it.each(['nowhere/p.json', 'folder'])('that cannot be written to %s says so', async (file) => {
    const { campaign } = await start();
    await mkdir(join(campaign.folder, 'folder'));
    const { code, stderr } = await campaign.run(['plan', 'm.yaml', '--out', file]);
    expect(code).toBe(74);
    expect(stderr).toContain(`error: The plan cannot be written [cannot-write]\n  --out ${file}: `);
    expect((await campaign.files()).filter((each) => each.includes('tmp'))).toEqual([]);
  });
});

describe('a file to be written', () => {
  it('is a new one or one of its own kind, never another', async () => {
    const { campaign, service } = await start();
    await campaign.write('out.json', '{\n  "format_version": "1.0",\n  "changes": []\n}\n');
    await campaign.write('small.default.state.jsonl.bak', 'precious\n');
    await symlink('m.yaml', join(campaign.folder, 'link'));
    for (const file of ['m.yaml', 'tote.png', 'out.json', 'small.default.state.jsonl.bak', 'link']) {
      const before = await campaign.read(file);
      const why =
        file === 'link' ? 'it is a symbolic link' : 'it exists and is no saved plan. Name another file';
      const saved = await campaign.run(['plan', 'm.yaml', '--out', file]);
      expect(saved).toMatchObject({ code: 74, stdout: '' });
      expect(saved.stderr).toContain(
        `error: The plan cannot be written [cannot-write]\n  --out ${file}: ${why}.`,
      );
      expect(await campaign.run(['apply', 'm.yaml', '--trace', file])).toMatchObject({ code: 74 });
      expect(await campaign.read(file)).toBe(before);
    }
    expect(service.requests).toEqual([]);
    for (let n = 0; n < 2; n += 1)
      expect(await campaign.run(['plan', 'm.yaml', '--out', 'plan.json'])).toMatchObject({ code: 0 });
  });

  it('may be a pipe or a device, which is written to and stays what it is', async () => {
    const { campaign, service } = await start();
    const env = { ...process.env, CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: 'any-long-key' };
    const script = `${process.execPath} ${CLI} plan m.yaml --quiet --out /dev/fd/3 3>&1 >/dev/null | cat`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], { cwd: campaign.folder, env });
    expect(JSON.parse(stdout)).toMatchObject({ format_version: '1.0', identity: { campaign: 'small' } });
    expect(await campaign.run(['plan', 'm.yaml', '--out', '/dev/null'])).toMatchObject({ code: 0 });
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });
});

describe('a path that is mistyped', () => {
  it('of the state is no new campaign', async () => {
    const { campaign } = await start();
    const { code, stderr } = await campaign.run(['plan', 'm.yaml', '--state', 'typo/s.jsonl']);
    expect(code).toBe(64);
    expect(stderr).toContain(
      'error: No folder for the state [no-state-folder]\n  The folder of the state file typo/s.jsonl',
    );
    expect((await campaign.files()).filter((file) => file.startsWith('typo'))).toEqual([]);
  });

  it('of the base URL is not the key’s fault', async () => {
    const server = createServer((_, response) => response.writeHead(404).end('Not Found')).listen(
      0,
      '127.0.0.1',
    );
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const campaign = await campaignFolder(SINGLE, { url });
    const { code, stdout, stderr } = await campaign.run(['apply', 'm.yaml']);
    expect(code).toBe(78);
    expect(stderr).toContain('There is no token endpoint: is the base URL right?');
    expect(stdout).toMatch(
      /Nothing can be sent as it is: check the base URL, its path included, certificates \(NODE_EXTRA_CA_CERTS, service\.tls\), proxy and clock; `campaign doctor m\.yaml` tries them\.\n/,
    );
  });

  it('of what to accept is no success', async () => {
    const { campaign } = await start();
    const { code, stderr } = await campaign.run(['state', 'accept', 'm.yaml', 'media/typo/*']);
    expect(code).toBe(64);
    expect(stderr).toContain('media/typo/* matches no address');
  });
});
