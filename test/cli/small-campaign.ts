import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type CliEnd, type CliRun, runCli, startCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-here.ts';

/** One product with one photo, one concept, one post of two items. */
export const SMALL = `version: 1
name: small
products:
  tote: { images: [tote.png] }
concepts:
  morning: { description: Soft light }
posts:
  hero:
    concept: morning
    items:
      - { key: kitchen, post_type: image, products: [tote], aspect_ratio: "4:5" }
      - { key: tour, post_type: carousel, products: [tote], aspect_ratio: "1:1", descriptions: [slow turn] }
`;

/** The same with a single item: a single medium, a single file. */
export const SINGLE = SMALL.replace(/\n.*key: tour.*/, '');

export const STATE = 'small.default.state.jsonl';

/** Secrets that must not turn up anywhere but on the wire. */
export const API_KEY = 'canary-key-5f1d';

/** A PNG of 2 × 2 pixels. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAFklEQVQImWM4EWVjE3WC4cOHZyJyGgArTAXdb0BEYgAAAABJRU5ErkJggg==',
  'base64',
);

/** Where to say what has to be done when a test ends; one that runs beside others has its own. */
export type AtEnd = (cleanUp: () => Promise<void>) => void;

/** Starts a service that ends with the test. */
export async function untilTestEnds<S extends { close(): Promise<void> }>(
  starting: Promise<S>,
  atEnd: AtEnd = onTestFinished,
): Promise<S> {
  const service = await starting;
  atEnd(() => service.close());
  return service;
}

/** A campaign in a temporary folder of its own; its commands run there. */
export interface CampaignFolder {
  readonly folder: string;
  write(file: string, content: string | Uint8Array): Promise<void>;
  read(file: string): Promise<string>;
  /** Every file below the folder, sorted, without the locks of output folders. */
  files(): Promise<string[]>;
  /** Runs a command in the folder, in this process, with the service in its environment. */
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliEnd>;
  /** The same in a process of its own, where a test is about that, or where several run at once. */
  runApart(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<CliEnd>;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): CliRun;
}

/** Writes `m.yaml` and its photo; `service` is where its commands go by themselves. Gone when the test ends. */
export async function campaignFolder(
  manifest: string,
  service?: { readonly url: string },
  atEnd: AtEnd = onTestFinished,
): Promise<CampaignFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-cli-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const base = service ? { CAMPAIGN_BASE_URL: service.url, CAMPAIGN_API_KEY: API_KEY } : {};
  const optionsFor = (env: Readonly<Record<string, string>>) => ({ cwd: folder, env: { ...base, ...env } });
  const write = async (file: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), content);
  };
  await write('m.yaml', manifest);
  await write('tote.png', PNG);
  return {
    folder,
    write,
    read: (file) => readFile(join(folder, file), 'utf8'),
    async files() {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
        .filter((file) => !file.includes('/.campaign/'))
        .sort();
    },
    run: (args, env = {}) => runHere(args, optionsFor(env)),
    runApart: (args, env = {}) => runCli(args, optionsFor(env)),
    start: (args, env = {}) => startCli(args, optionsFor(env)),
  };
}
