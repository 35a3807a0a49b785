import { join } from 'node:path';
import { hashImages } from '../files/hash-images.ts';
import { buildGraph } from '../graph/build-graph.ts';
import { CONFIGURATION_CODES, NO_ENVIRONMENT } from '../manifest/environment.ts';
import { type LoadedManifest, loadManifest } from '../manifest/load.ts';
import { imageProblems } from '../manifest/image-problems.ts';
import type { Manifest } from '../manifest/manifest.ts';
import type { Problem } from '../model/problem.ts';
import { EXIT } from '../model/exit.ts';
import type { Graph } from '../model/graph.ts';
import { openStore, type StatePlace } from '../store/open-store.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { SharedOptions } from '../cli/options.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { Output, Subject } from '../cli/output.ts';
import { identityOf } from './read-state.ts';
import { targetWords } from '../cli/target.ts';
import { collectVariables } from '../cli/variables.ts';

/** A checked campaign, ready to be planned. */
export interface Campaign extends StatePlace {
  readonly manifest: Manifest;
  readonly graph: Graph;
  /** When its photos were about to be read, in epoch milliseconds. */
  readonly readAt: number;
  readonly warnings: readonly Problem[];
  readonly quote: LoadedManifest['quote'];
  /** What names it on the command line, for advice: `m.yaml --env stage`; empty where nothing has to. */
  readonly target: string;
  /** The same campaign, read once more: `results` are files relative to its folder that are no photos. */
  readonly without: (results: readonly string[]) => Promise<Result<Campaign, Refusal>>;
}

interface Loading {
  readonly need: 'environment' | 'nothing';
  readonly output: Output;
  readonly results?: readonly string[];
}

/** What the lines of a command about this campaign name. */
export function namesOf({ manifest }: Campaign): Subject {
  const { name } = manifest.environment;
  return { campaign: manifest.name, ...(name === NO_ENVIRONMENT ? {} : { environment: name }) };
}

/** Text → manifest → image contents → graph; everything that can be known without a request. */
export async function loadCampaign(
  file: string,
  options: SharedOptions,
  loading: Loading,
): Promise<Result<Campaign, Refusal>> {
  const { need, output, results = [] } = loading;
  const variables = await collectVariables(options, process.env);
  if (!variables.ok) return variables;
  const environment = options.env ?? process.env['CAMPAIGN_ENV'];
  const baseUrl = process.env['CAMPAIGN_BASE_URL'];
  const loaded = await loadManifest({
    file,
    variables: variables.value,
    outside: options.allowOutside ? 'allow' : 'refuse',
    need,
    results,
    ...(environment ? { environment } : {}),
    ...(baseUrl ? { baseUrl } : {}),
  });
  if (!loaded.ok) return err(refused(loaded.error));
  const { manifest, warnings, diagnose, quote } = loaded.value;
  const target = targetWords(file, options);
  const place = openStore({
    manifest: manifest.file,
    identity: identityOf(manifest),
    named: options.state || process.env['CAMPAIGN_STATE'],
    env: process.env,
    target,
  });
  if (!place.ok) return err(refusal(place.error.exit, place.error));
  const readAt = Date.now();
  const hashed = await hashAll(manifest, {
    cacheFile: join(place.value.workFolder, 'stat-cache.json'),
    output,
  });
  if (!hashed.ok) return err(refused(diagnose(imageProblems(manifest, hashed.error))));
  const graph = buildGraph(manifest, hashed.value);
  const without = (known: readonly string[]) => loadCampaign(file, options, { ...loading, results: known });
  return ok({ ...place.value, manifest, graph, readAt, warnings, quote, target, without });
}

function refused(problems: readonly Problem[]): Refusal {
  const configuration = problems.every(
    ({ severity, code = '' }) => severity === 'warning' || CONFIGURATION_CODES.has(code),
  );
  return { exit: configuration ? EXIT.configuration : EXIT.invalidManifest, problems };
}

/** Progress of reading photos is shown where it takes longer than a second. */
const SHOW_AFTER_MS = 1_000;

async function hashAll(manifest: Manifest, { cacheFile, output }: { cacheFile: string; output: Output }) {
  const owners = [
    ...manifest.products.map(({ id, images }) => ({ id, images })),
    ...manifest.concepts.map(({ id, refImages }) => ({ id, images: refImages })),
  ];
  const files = owners.flatMap(({ id, images }) =>
    id === undefined ? images.flatMap((image) => ('file' in image ? [image.file] : [])) : [],
  );
  const started = performance.now();
  const isShown = process.stderr.isTTY && output.mode === 'text' && !output.isQuiet;
  return hashImages({
    folder: manifest.folder,
    files,
    cacheFile,
    onProgress(done, total) {
      if (!isShown || performance.now() - started < SHOW_AFTER_MS) return;
      output.progress(done < total ? `\r  reading photos ${done}/${total}` : `\r${' '.repeat(40)}\r`);
    },
  });
}
