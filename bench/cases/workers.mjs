/** Runs that several processes carry out, with a real Postgres: what more workers bring, and what a large run costs. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeGrid } from '../inputs.mjs';
import { run, startService } from '../measure.mjs';
import { hasJit, startPostgres } from '../postgres.mjs';
import { megabytesOf, secondsOf } from '../processes.mjs';
import { campaign, environment } from '../program.mjs';

/** 1,201 nodes: 100 uploads, 100 products, a concept, 200 configurations, 400 posts with their files. */
const SMALL = { products: 100, concepts: 1, batches: 2, posts: 2 };
/** 100,001 nodes, or so many as BENCH_NODES says: each product has 20. */
const NODES = Number(process.env.BENCH_NODES ?? 100_000);
const LARGE = { products: Math.round(NODES / 20), concepts: 1, batches: 2, posts: 4 };
/** 111 nodes. */
const FEW = { products: 10, concepts: 1, batches: 1, posts: 4 };
const SLOTS = 4;

export const workers = [
  {
    name: 'workers',
    title: `1,201 nodes, 200 ms of latency, ${SLOTS} slots each: 4 workers, and one of them alone`,
    pairs: 3,
    bounds:
      'The slots. What is lost of a factor of 4 are the ends of the run, where fewer nodes can be started than there are slots.',
    async prepare(folder) {
      const { place, runOf } = await prepared(folder, {
        latencyMs: 200,
        size: SMALL,
        concurrency: 4 * SLOTS,
      });
      return {
        ours: () => runOf({ count: 4, slots: SLOTS }),
        other: () => runOf({ count: 1, slots: SLOTS }),
        end: () => place.end(),
      };
    },
    measures: [
      {
        label: 'first to last request of one ÷ that of four, as a part of 3.2',
        value: ({ ours, other }) => (3.2 * ours.span) / other.span,
        limit: 1,
      },
      {
        label: 'first to last request of one ÷ that of four',
        value: ({ ours, other }) => other.span / ours.span,
      },
      { label: 'first to last request, seconds', value: ({ ours }) => ours.span },
      { label: 'the same with one worker', value: ({ other }) => other.span },
      { label: 'first to last request of four ÷ bound', value: ({ ours }) => ours.span / boundOf(ours, 0.2) },
    ],
  },
  {
    name: 'shared-run',
    title: `${nodesIn(LARGE).toLocaleString('en')} nodes, 5 ms of latency, 2 workers with 32 slots each, apply --no-work`,
    pairs: 1,
    bounds: 'Processor time: workers, apply, Postgres and the service that answers share the machine.',
    async prepare(folder) {
      const { place, runOf } = await prepared(folder, { latencyMs: 5, size: LARGE, concurrency: 64 });
      return { ours: () => runOf({ count: 2, slots: 32 }), end: () => place.end() };
    },
    measures: [
      {
        label: 'of the time that 250 nodes a second would take',
        value: ({ ours }) => 250 / ours.rate,
        limit: 1,
      },
      { label: 'nodes a second, first to last request', value: ({ ours }) => ours.rate },
      { label: 'whole apply, seconds', value: ({ ours }) => ours.apply.wall },
      { label: 'until the plan is handed over, seconds', value: ({ ours }) => ours.handOver },
      { label: 'peak memory of a worker, MB', value: ({ ours }) => ours.mb, limit: 500 },
      { label: 'peak memory of apply, MB', value: ({ ours }) => ours.apply.mb },
      ...perNode('workers', ({ ours }) => ours.cpu),
      ...perNode('apply', ({ ours }) => ours.apply.cpu),
      ...perNode('Postgres', ({ ours }) => ours.postgres),
      ...perNode('the service', ({ ours }) => ours.serviceCpu),
      { label: 'the database afterwards, MB', value: ({ ours }) => ours.databaseMb },
      { label: 'requests', value: ({ ours }) => ours.requests },
    ],
  },
  ...(hasJit() ? [onDebian()] : []),
];

/** Small tables for which a server that compiles plans would compile each of them. */
function onDebian() {
  return {
    name: 'shared-run-jit',
    title: `${nodesIn(FEW)} nodes on Debian's Postgres, 2 workers with ${SLOTS} slots each: with jit = on, and with jit = off`,
    pairs: 3,
    bounds:
      'The same as with jit = off: no session of campaign has it on. With it, the run took 4.7 times as long.',
    async prepare(folder) {
      // Postgres runs as another user, and has to get to its folder.
      chmodSync(folder, 0o755);
      const both = [];
      for (const jit of ['on', 'off'])
        both.push(
          await prepared(join(folder, jit), { latencyMs: 5, size: FEW, concurrency: 2 * SLOTS, jit }),
        );
      const [on, off] = both.map(
        ({ runOf }) =>
          () =>
            runOf({ count: 2, slots: SLOTS }),
      );
      return {
        ours: on,
        other: off,
        end: () => Promise.all(both.map(({ place }) => place.end())),
      };
    },
    measures: [
      {
        label: 'processor time of Postgres, jit = on ÷ jit = off',
        value: ({ ours, other }) => ours.postgres / other.postgres,
        limit: 2,
      },
      { label: 'first to last request, seconds', value: ({ ours }) => ours.span },
      { label: 'the same with jit = off', value: ({ other }) => other.span },
    ],
  };
}

function perNode(whose, seconds) {
  const label = `milliseconds of the processor for a node, ${whose}`;
  return [{ label, value: (pair) => (1000 * seconds(pair)) / nodesIn(LARGE) }];
}

function nodesIn({ products, concepts, batches, posts }) {
  return products * (2 + batches * (1 + 2 * posts)) + concepts;
}

function boundOf({ requests }, latency) {
  return (requests * latency) / (4 * SLOTS);
}

async function prepared(folder, { latencyMs, size, concurrency, jit }) {
  const postgres = await startPostgres(folder, { jit });
  const service = await startService(latencyMs);
  const made = makeGrid(join(folder, 'campaign'), { ...size, limits: { concurrency } });
  const place = {
    postgres,
    service,
    made,
    async end() {
      await service.stop();
      await postgres.stop();
    },
  };
  return { place, runOf: (wanted) => sharedRun(place, wanted) };
}

/** One run in a new database, from its first request to its last one. */
async function sharedRun({ postgres, service, made }, { count, slots }) {
  const { folder: cwd, manifest } = made;
  for (const left of ['out', 'bench.default.state.jsonl', '.campaign'])
    rmSync(join(cwd, left), { recursive: true, force: true });
  const database = await postgres.database();
  const env = { ...environment(service.url), CAMPAIGN_STATE: database };
  await run(campaign('db', 'migrate'), { cwd, env });
  const started = await Promise.all(Array.from({ length: count }, () => startWorker(slots, { cwd, env })));
  try {
    await service.stats();
    const before = { postgres: postgres.seconds(), service: secondsOf(service.pid), workers: cpuOf(started) };
    const handedOver = watchHandOver(postgres, database);
    const apply = await run(campaign('apply', manifest, '--yes', '--no-work'), { cwd, env });
    const { requests, firstMs, lastMs } = await service.stats();
    const span = (lastMs - firstMs) / 1000;
    const [{ size }] = await postgres.query(database, 'select pg_database_size(current_database()) as size');
    return {
      apply,
      requests,
      span,
      rate: nodesIn(made) / span,
      handOver: await handedOver,
      cpu: cpuOf(started) - before.workers,
      mb: Math.max(...started.map(({ pid }) => megabytesOf(pid))),
      postgres: postgres.seconds() - before.postgres,
      serviceCpu: secondsOf(service.pid) - before.service,
      databaseMb: Number(size) / 2 ** 20,
    };
  } finally {
    await Promise.all(started.map((worker) => worker.stop()));
  }
}

function cpuOf(started) {
  return started.reduce((sum, { pid }) => sum + secondsOf(pid), 0);
}

async function startWorker(slots, { cwd, env }) {
  const [node, ...args] = campaign('worker', '--json', '--slots', String(slots));
  const child = spawn(node, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Its first line says that it is ready.
  await once(child.stdout, 'data');
  child.stdout.resume();
  return {
    pid: child.pid,
    async stop() {
      child.kill();
      await once(child, 'close');
    },
  };
}

/** Seconds from the begin of the run until others can take part in it. */
async function watchHandOver(postgres, database) {
  for (;;) {
    const [row] = await postgres.query(
      database,
      'select extract(epoch from clock_timestamp() - since)::float8 as seconds, shared is not null as shared from campaign.run',
    );
    if (row?.shared) return row.seconds;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
