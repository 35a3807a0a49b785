/** A small campaign, a service in the test and processes of the real command that may be killed. */
import { spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import type { OutputRow } from '../../src/views/list-outputs.ts';
import { listState, type StateRow } from '../../src/views/list-state.ts';
import { type AtEnd, API_KEY, campaignFolder, SMALL, STATE, untilTestEnds } from '../cli/small-campaign.ts';
import { startBareService } from '../support/bare-service.ts';
import { placesOf } from '../support/find-secret.ts';
import { readRunState } from '../support/read-state.ts';
import { CLI, type CliEnd } from '../support/run-cli.ts';

export interface RealCampaign {
  readonly folder: string;
  /** Path of the state. */
  readonly stateFile: string;
  /** Runs `campaign apply` under another command, e.g. strace; how it ended. */
  applyUnder(command: readonly string[]): Promise<CliEnd>;
  /** D, L, U and S, as the service's books and the state have it, after a run that ended so. */
  check(end: CliEnd): Promise<void>;
  /** Applies and decides until nothing is left to do; the file that nothing can verify is kept and marked then. */
  finish(): Promise<void>;
}

/** What the service made, and the node that asked for it: each is the only one of its kind. */
interface Made {
  readonly kind: string;
  readonly id: string;
  readonly items: readonly string[];
}

const LISTS = { product: '/products/', concept: '/concepts/', 'media-config': '/media-config/' } as const;
const REQUESTS = 'http.server.request.start';

/** One with nothing made yet; gone when the test ends. */
export async function startRealCampaign(atEnd: AtEnd): Promise<RealCampaign> {
  const service = await untilTestEnds(startBareService({ cutFile: 2 }), atEnd);
  const campaign = await campaignFolder(SMALL, service, atEnd);
  const secrets = new Set([API_KEY]);
  /** Kinds that a process left open which was killed. */
  const excused = new Set<string>();
  const noteToken = (message: unknown) => {
    const { authorization = '' } = (message as { request: IncomingMessage }).request.headers;
    if (authorization) secrets.add(authorization.replace(/^Bearer /, ''));
  };
  subscribe(REQUESTS, noteToken);
  atEnd(() => Promise.resolve(void unsubscribe(REQUESTS, noteToken)));

  function made(): Made[] {
    const { products, concepts, configs } = service.created;
    return [
      ...products.map(({ id }) => ({ kind: 'product', id, items: [] })),
      ...concepts.map(({ id }) => ({ kind: 'concept', id, items: [] })),
      ...configs.map(({ id, items }) => ({ kind: 'media-config', id, items: items.map((item) => item.id) })),
    ];
  }

  async function rows(): Promise<StateRow[]> {
    const identity = { campaign: 'small', environment: 'default', baseUrl: service.url };
    return listState(await readRunState(`${campaign.folder}/${STATE}`, identity));
  }

  async function outputs(): Promise<OutputRow[]> {
    const { stdout } = await campaign.run(['outputs', 'm.yaml', '--json']);
    return JSON.parse(stdout) as OutputRow[];
  }

  const unknownCreates = (known: readonly StateRow[]) =>
    known.filter(({ status, kind }) => status === 'unknown' && kind !== 'media');

  /** Whether the service has seen a request that makes one of this kind. */
  function wasAsked(kind: string): boolean {
    const path = LISTS[kind as keyof typeof LISTS];
    return service.requests.some((request) => request.method === 'POST' && request.path === path);
  }

  async function check({ signal, stdout, stderr }: CliEnd): Promise<void> {
    const kinds = made().map(({ kind }) => kind);
    expect(kinds).toEqual([...new Set(kinds)]);
    const known = await rows();
    const ids = new Set(known.map(({ id }) => id));
    const unknown = new Set(unknownCreates(known).map(({ kind }): string => kind));
    expect(made().filter(({ id, kind }) => !ids.has(id) && !unknown.has(kind))).toEqual([]);
    // What a process that was killed had left open may have been sent.
    if (signal !== null) for (const kind of unknown) excused.add(kind);
    // What waits in a file beside the state is taken in by the next run, after which this is asked again.
    const isWaiting = (await campaign.files()).some((file) => /errored-.*\.jsonl$/.test(file));
    const needless = [...unknown].filter((kind) => !wasAsked(kind) && !excused.has(kind));
    expect(isWaiting ? [] : needless).toEqual([]);
    const { folder } = campaign;
    expect(await placesOf([...secrets], { folder, texts: { stdout, stderr } })).toEqual([]);
  }

  async function decide(): Promise<void> {
    for (const { address, kind } of unknownCreates(await rows())) {
      const one = made().find((object) => object.kind === kind);
      excused.delete(kind);
      const decision = one ? ['--id', one.id] : ['--not-created'];
      expect(await campaign.run(['resolve', 'm.yaml', address, ...decision])).toMatchObject({ code: 0 });
    }
  }

  return {
    folder: campaign.folder,
    stateFile: `${campaign.folder}/${STATE}`,
    async applyUnder([command = '', ...args]) {
      const child = spawn(command, [...args, process.execPath, CLI, 'apply', 'm.yaml'], {
        cwd: campaign.folder,
        env: {
          PATH: process.env['PATH'] ?? '',
          UV_THREADPOOL_SIZE: '1',
          CAMPAIGN_BASE_URL: service.url,
          CAMPAIGN_API_KEY: API_KEY,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const ended = new Promise<Pick<CliEnd, 'code' | 'signal'>>((resolve, reject) => {
        child.on('error', reject);
        child.on('close', (code, signal) => resolve({ code, signal }));
      });
      const [end, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
      return { ...end, stdout, stderr };
    },
    check,
    async finish() {
      for (let round = 0; round < 4; round += 1) {
        const end = await campaign.run(['apply', 'm.yaml']);
        await check(end);
        if (end.code === 0) break;
        expect(end).toMatchObject({ code: 4 });
        await decide();
      }
      expect((await campaign.run(['plan', 'm.yaml'])).stdout).toContain('No changes.');
      expect(made()).toHaveLength(3);
      const kept = (await outputs()).filter(({ unverified }) => unverified !== undefined);
      expect(kept.map(({ path }) => path)).toEqual(['out/small/default/hero/tour-carousel-2.png']);
      expect((await campaign.files()).filter((file) => /\.part(ial)?$/.test(file))).toEqual([]);
      // The bare service calls a medium as the item that it is made of.
      const ids = (await rows()).map(({ id }) => id);
      expect(made().flatMap(({ items }) => items.filter((id) => !ids.includes(id)))).toEqual([]);
    },
  };
}
