/** compose.yaml: what it starts is understood by the command line, and works with other ports, without Docker. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { createProgram } from '../../src/commands/program.ts';
import { campaignFolder, untilTestEnds } from '../cli/small-campaign.ts';
import { hasPostgres, makeDatabase } from '../support/postgres.ts';
import { startCli } from '../support/run-cli.ts';
import { BUCKET, startS3Server } from '../support/s3-server.ts';
import { manyProducts } from './shared-campaign.ts';

const ROOT = path.join(import.meta.dirname, '../..');

interface Service {
  readonly image?: string;
  readonly entrypoint?: readonly string[];
  readonly command: readonly string[];
  readonly network_mode?: string;
  readonly ports?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: unknown;
  readonly deploy?: { readonly replicas: number };
  readonly volumes?: readonly string[];
}

const { services, volumes } = parse(readFileSync(path.join(ROOT, 'compose.yaml'), 'utf8'), {
  merge: true,
}) as {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
};
const own = Object.entries(services).filter(([, { entrypoint }]) => entrypoint?.[0] === 'campaign');

describe('compose.yaml', () => {
  it('starts commands that there are, with flags that they have', () => {
    expect(own.map(([name]) => name)).toEqual(['emulator', 'tables', 'worker', 'campaign']);
    for (const [name, { command }] of own) {
      let verb = createProgram(() => undefined);
      let words = [...command];
      for (;;) {
        const next = verb.commands.find((one) => one.name() === words[0]);
        if (!next) break;
        verb = next;
        words = words.slice(1);
      }
      const { operands, unknown } = verb.parseOptions(words);
      expect({ name, verb: verb.name(), operands, unknown }).toEqual({
        name,
        verb: command[command[0] === 'db' ? 1 : 0],
        operands: [],
        unknown: [],
      });
    }
    expect(services['worker']?.deploy).toEqual({ replicas: 2 });
  });

  it('waits for services that there are, in a way that they know, and opens no port', () => {
    for (const [name, service] of Object.entries(services)) {
      const { network_mode: network, ports, depends_on: waits = {} } = service;
      expect({ name, network, ports }).toEqual({
        name,
        network: name === 'database' ? undefined : 'service:database',
        ports: undefined,
      });
      for (const [on, { condition }] of Object.entries(waits)) {
        const isChecked = services[on]?.healthcheck !== undefined;
        expect({ name, on, condition }).toEqual({
          name,
          on,
          condition: isChecked ? 'service_healthy' : 'service_completed_successfully',
        });
        expect(services[on]?.command).toBeDefined();
      }
      for (const volume of service.volumes ?? [])
        expect(Object.keys(volumes).includes(volume.split(':')[0] ?? '') || volume.startsWith('${')).toBe(
          true,
        );
    }
    const [, { environment }] = own[0] as [string, Service];
    const { database, store } = services;
    expect(environment?.['PGPASSWORD']).toBe(database?.environment?.['POSTGRES_PASSWORD']);
    expect(environment?.['AWS_SECRET_ACCESS_KEY']).toBe(store?.environment?.['MINIO_ROOT_PASSWORD']);
    expect(environment?.['AWS_ACCESS_KEY_ID']).toBe(store?.environment?.['MINIO_ROOT_USER']);
  });

  it.runIf(hasPostgres)('has all that a run needs, with addresses that are free here', async () => {
    const s3 = await untilTestEnds(startS3Server());
    const [, { environment = {} }] = own[0] as [string, Service];
    const url = new URL(await makeDatabase());
    const campaign = await campaignFolder(manyProducts(2));
    const start = (service: string, env: Readonly<Record<string, string>>) => {
      const command = services[service]?.command.map((word) =>
        word.replace(/^4010$/, '0').replace('/data', 'data'),
      );
      const run = startCli(command ?? [], { cwd: campaign.folder, env });
      onTestFinished(() => void run.process.kill('SIGKILL'));
      return run;
    };
    const emulator = start('emulator', {});
    const shown = await emulator.seen(/http:\/\/127\.0\.0\.1:\d+\/api/);
    const [base = ''] = /http:\S+\/api/.exec(shown) ?? [];
    expect(environment['CAMPAIGN_BASE_URL']).toBe(base.replace(/:\d+/, ':4010'));
    const there = {
      CAMPAIGN_STATE: `postgres://${url.username}@${url.host}${url.pathname}`,
      PGPASSWORD: url.password,
      CAMPAIGN_BASE_URL: base,
      CAMPAIGN_FILES: `s3://${BUCKET}/files`,
      ...s3.env,
    };
    expect(Object.keys(environment).sort()).toEqual([...Object.keys(there), 'CAMPAIGN_API_KEY'].sort());
    const env = { ...environment, ...there };
    expect(await start('tables', env).end).toMatchObject({ code: 0 });
    const workers = [1, 2].map(() => start('worker', env));
    await Promise.all(workers.map((worker) => worker.seen(/"ready"/)));
    await campaign.write('campaign.yaml', manyProducts(2));
    const apply = await start('campaign', env).end;
    expect({ code: apply.code, stderr: apply.stderr }).toMatchObject({ code: 0 });
    for (const { process, end } of workers) {
      process.kill('SIGTERM');
      expect(await end).toMatchObject({ code: 0 });
    }
  });
});
