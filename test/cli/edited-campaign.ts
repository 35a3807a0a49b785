/** One applied campaign and copies of it that tests edit: what a plan says, and what an apply sends, after an edit. */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { expect } from 'vitest';
import type { BareOptions } from '../support/bare-options.ts';
import { type BareService, startBareService } from '../support/bare-service.ts';
import { type CliEnd, runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-here.ts';

/** Two products, two concepts; items with and without a key, a matrix: 7 posts in 5 requests. */
const MANIFEST = `version: 1
name: spring
product_folders: [photos/*]
products:
  mug:
    images: [shots/cup.png]
    description: Stoneware
concepts:
  morning:
    description: Soft light, linen
    ref_images: [refs/linen.png]
  night:
    description: Neon, wet asphalt
posts:
  hero:
    concept: morning
    items:
      - { key: kitchen, post_type: image, products: [tote, mug], aspect_ratio: "4:5", descriptions: [On a chair] }
      - { post_type: image, products: [mug], aspect_ratio: "1:1" }
      - { post_type: video, products: [tote], aspect_ratio: "9:16", variants: [clean] }
  grid:
    matrix: { concept: [morning, night], product: "*" }
    concept: \${{ matrix.concept }}
    items:
      - { post_type: image, products: ["\${{ matrix.product }}"], aspect_ratio: "1:1" }
`;

const PHOTOS = {
  front: 'photos/tote/1-front.png',
  side: 'photos/tote/2-side.png',
  cup: 'shots/cup.png',
  linen: 'refs/linen.png',
} as const;

/** Colours of all photos, those that edits bring included. */
const COLOURS = { front: 20, side: 60, cup: 100, linen: 140, new: 180 };

/** A photo of one colour; each word is another picture. */
export function photo(word: keyof typeof COLOURS): Promise<Buffer> {
  const background = { r: COLOURS[word], g: 90, b: 30 };
  return sharp({ create: { width: 16, height: 16, channels: 3, background } })
    .png()
    .toBuffer();
}

/** A campaign that was applied once, and the service that keeps what it made. */
export interface AppliedCampaign {
  readonly service: BareService;
  /** A copy of the folder, state and files included, to be edited by one test. */
  copy(): Promise<EditedCampaign>;
  remove(): Promise<void>;
}

export interface EditedCampaign {
  readonly folder: string;
  /** Changes the manifest; what is looked for must be there. */
  change(from: string | RegExp, to: string): Promise<void>;
  write(file: string, content: string | Uint8Array): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  read(file: string): Promise<string>;
  /** Files below a folder, sorted. */
  files(below: string): Promise<string[]>;
  /** In this process; `more`: variables besides `env`. */
  run(args: readonly string[], more?: Readonly<Record<string, string>>): Promise<CliEnd>;
  /** In a process of its own. */
  runApart(args: readonly string[]): Promise<CliEnd>;
  /** What the command needs in its environment to meet the service. */
  readonly env: Readonly<Record<string, string>>;
  /** The whole plan as text. */
  plan(...flags: string[]): Promise<string>;
  /** The same as JSON, with one change a line. */
  planJson(...flags: string[]): Promise<string>;
  /** Applies, and counts what the service got meanwhile. */
  apply(...flags: string[]): Promise<CliEnd & Sent>;
  /** The plan, what its apply sends, and that nothing is left to do after it. */
  settle(...flags: string[]): Promise<{ text: string; sent: string }>;
}

/** New posts, and how many requests of each route, the token's aside. */
interface Sent {
  readonly posts: number;
  readonly requests: readonly string[];
}

/** Applies a campaign once; its copies share what the service made for it. */
export async function applyCampaign(
  manifest: string = MANIFEST,
  options: Partial<BareOptions> = {},
): Promise<AppliedCampaign> {
  const service = await startBareService({ pendingPolls: 0, ...options });
  const root = await mkdtemp(join(tmpdir(), 'campaign-edits-'));
  const base = join(root, 'base');
  const first = openCampaign(base, service);
  await first.write('campaign.yaml', manifest);
  for (const [word, file] of Object.entries(PHOTOS))
    await first.write(file, await photo(word as keyof typeof PHOTOS));
  expect(await first.apply('--concurrency', '1')).toMatchObject({
    code: options.failing?.length ? 1 : 0,
    posts: 7,
  });
  let copies = 0;
  return {
    service,
    async copy() {
      const folder = join(root, `copy-${++copies}`);
      await cp(base, folder, { recursive: true });
      return openCampaign(folder, service);
    },
    async remove() {
      await service.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** The commands and files of a campaign in a folder. */
export function openCampaign(folder: string, service: BareService): EditedCampaign {
  const env = { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: 'long-enough' };
  const run = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    runHere(args, { cwd: folder, env: { ...env, ...more } });
  const write = async (file: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  };
  const read = (file: string) => readFile(join(folder, file), 'utf8');
  const planned = async (flags: readonly string[]) => {
    const { code, stdout, stderr } = await runHere(['plan', ...flags], { cwd: folder, env });
    expect([stderr, code]).toEqual(['', 0]);
    return stdout;
  };
  const plan = async (...flags: string[]) => withWords(await planned(flags));
  const apply = async (...flags: string[]) => {
    const [requests, configs] = [service.requests.length, service.created.configs.length];
    const end = await run(['apply', ...flags]);
    const made = service.created.configs.slice(configs);
    return {
      ...end,
      stdout: await withWords(end.stdout),
      posts: made.reduce((sum, config) => sum + Number(config['number_of_posts']), 0),
      requests: byRoute(service.requests.slice(requests)),
    };
  };
  return {
    folder,
    env,
    run,
    runApart: (args) => runCli(args, { cwd: folder, env }),
    plan,
    planJson: async (...flags) => withWords(linesOf(await planned(['--json', ...flags]))),
    apply,
    write,
    read,
    async change(from, to) {
      const before = await read('campaign.yaml');
      const after = before.replace(from, to);
      expect(after).not.toBe(before);
      await write('campaign.yaml', after);
    },
    async rename(from, to) {
      await mkdir(dirname(join(folder, to)), { recursive: true });
      await rename(join(folder, from), join(folder, to));
    },
    async files(below) {
      const entries = await readdir(join(folder, below), { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('/.campaign'))
        .map(({ parentPath, name }) => join(parentPath, name).slice(join(folder, below).length + 1))
        .sort();
    },
    async settle(...flags) {
      const text = await plan();
      const { code, posts, requests } = await apply(...flags);
      expect(await plan()).toMatch(/\nNo changes\.\n$/);
      return { text, sent: [`exit ${code}`, `${posts} new posts`, ...requests].join('\n') };
    },
  };
}

/** The same JSON with each entry of a list on a line of its own. */
function linesOf(json: string): string {
  // Every line names these; they are asserted where several manifests are planned.
  const {
    manifest: _,
    campaign: __,
    environment: ___,
    ...plan
  } = JSON.parse(json) as Record<string, unknown>;
  return Object.entries(plan)
    .flatMap(([key, value]) => {
      if (!Array.isArray(value) || !value.length) return [`${key}: ${JSON.stringify(value)}`];
      return [`${key}:`, ...value.map((entry) => `  ${JSON.stringify(entry)}`)];
    })
    .join('\n');
}

function byRoute(requests: BareService['requests']): string[] {
  const routes = new Map<string, number>();
  for (const { method, path } of requests) {
    const route = `${method} ${path.replace(/[0-9a-f-]{36}/g, '{id}').replace(/-\d+\.png$/, '')}`;
    if (route !== 'POST /get_auth_token') routes.set(route, (routes.get(route) ?? 0) + 1);
  }
  return [...routes].map(([route, count]) => `${count} × ${route}`).sort();
}

/** Photos by their word instead of their hash, and nothing that another run would have otherwise. */
export async function withWords(text: string): Promise<string> {
  let result = text
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');
  for (const word of Object.keys(COLOURS) as (keyof typeof COLOURS)[]) {
    const sha256 = createHash('sha256')
      .update(await photo(word))
      .digest('hex');
    result = result.replaceAll(sha256, `<${word}>`).replaceAll(sha256.slice(0, 16), `<${word}>`);
  }
  return result;
}
