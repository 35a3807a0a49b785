import { join } from 'node:path';
import { type Decisions, noDecisions, readDecisions } from '../decisions/read-decisions.ts';
import { createPhotoExaminer } from '../files/examine-photo.ts';
import { hashImages } from '../files/hash-images.ts';
import { outputFolderOf, whyNotOwn } from '../files/own-place.ts';
import { buildGraph } from '../graph/build-graph.ts';
import { CONFIGURATION_CODES } from '../manifest/environment.ts';
import { loadManifest } from '../manifest/load.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { realOf } from '../manifest/path-sandbox.ts';
import { EXIT } from '../model/exit.ts';
import { STDIN } from '../model/manifest-file.ts';
import { type Problem, refusal, type Refusal } from '../model/problem.ts';
import type { Disk } from '../util/disk.ts';
import { err, ok, type Result } from '../util/result.ts';
import { dayIn } from '../util/time-zone.ts';
import type { Campaign, CampaignSource, Today } from './campaign.ts';
import { givenVariables } from './given-variables.ts';
import { lintPhotos } from './lint-photos.ts';
import { namedStorage } from './open-storage.ts';
import { storeOf } from './state-place.ts';
import type { Runtime } from './runtime.ts';

/** Text → manifest → image contents → graph: everything that can be known without a request. */
export async function loadCampaign(
  runtime: Runtime,
  source: CampaignSource,
  results: readonly string[] = [],
  today: Today = source.at === undefined ? { now: runtime.clock.now() } : { day: source.at },
): Promise<Result<Campaign, Refusal>> {
  const { env, disk } = runtime;
  const { file, outside, need, lint, target, inputs } = source;
  const environment = source.environment ?? env['CAMPAIGN_ENV'];
  const baseUrl = env['CAMPAIGN_BASE_URL'];
  const variables = givenVariables(env, source.variables);
  const loaded = await loadManifest({
    disk: source.input ? withInput(disk, source.input) : disk,
    file,
    variables,
    outside,
    need,
    lint,
    results,
    inputs,
    today: (zone) => ('day' in today ? today.day : dayIn(zone, today.now)),
    ...(environment ? { environment } : {}),
    ...(baseUrl ? { baseUrl } : {}),
  });
  if (!loaded.ok) return err(refused(loaded.error));
  const { manifest: expanded, diagnose, quote } = loaded.value;
  // The graph has what its posts ask for; kept twice, that is 0.7 kB a post.
  const { posts: _, ...manifest } = expanded;
  const isUnread = inputs === 'unread';
  const place = storeOf(runtime, source, manifest);
  if (!place.ok) return err(refusal(place.error.exit, place.error));
  const { decisionsFile } = place.value;
  const findDecisions = () =>
    isUnread ? ok(noDecisions(decisionsFile)) : readDecisions(disk, decisionsFile);
  const decided = findDecisions();
  if (!decided.ok) return err(refused(decided.error));
  const readAt = runtime.clock.now();
  const hashed = isUnread ? ok(new Map()) : await hashAll(runtime, manifest, place.value);
  if (!hashed.ok) return err(refused(diagnose(hashed.error)));
  const slips = lint ? diagnose(lintPhotos(expanded, hashed.value)) : [];
  const warnings = [...loaded.value.warnings, ...slips];
  const graph = buildGraph(expanded, hashed.value);
  const reload: Campaign['reload'] = (known, at) => loadCampaign(runtime, source, known, at);
  const files = namedStorage(runtime, source);
  const undecided = {
    ...place.value,
    manifest,
    graph,
    files,
    isOwn: ownTest(disk, manifest),
    readAt,
    warnings,
    quote,
    target,
    today,
    reload,
  };
  return ok(withDecisions(undecided, { decisions: decided.value, find: findDecisions }));
}

/** Looks at the disk as everything does that a plan depends on. */
function ownTest(disk: Disk, manifest: Manifest): Campaign['isOwn'] {
  const place = outputFolderOf(manifest);
  const real = (folder: string) => realOf(disk, folder);
  return (file) => whyNotOwn(place, file, real) === undefined;
}

interface Deciding {
  readonly decisions: Decisions;
  /** Reads them again. */
  readonly find: () => ReturnType<typeof readDecisions>;
}

function withDecisions(
  undecided: Omit<Campaign, 'decisions' | 'readDecisions'>,
  { decisions, find }: Deciding,
): Campaign {
  const { manifest, quote } = undecided;
  return {
    ...undecided,
    decisions,
    manifest: { ...manifest, locate: (ref) => decisions.quote(ref)?.position ?? manifest.locate(ref) },
    quote: (ref) => decisions.quote(ref) ?? quote(ref),
    readDecisions() {
      const found = find();
      return found.ok
        ? ok(withDecisions(undecided, { decisions: found.value, find }))
        : err(refused(found.error));
    },
  };
}

/** A disk that has what came on standard input. */
function withInput(disk: Disk, input: Buffer): Disk {
  const { length: size } = input;
  const look = { type: 'file', size, mtimeMs: 0, ctimeMs: 0, ino: 0 } as const;
  return {
    ...disk,
    read: (at, most) => (at === STDIN ? (size <= most ? input : look) : disk.read(at, most)),
  };
}

function refused(problems: readonly Problem[]): Refusal {
  const configuration = problems.every(
    ({ severity, code = '' }) => severity === 'warning' || CONFIGURATION_CODES.has(code),
  );
  return { exit: configuration ? EXIT.configuration : EXIT.invalidManifest, problems };
}

function hashAll(
  { clock, disk, emit }: Runtime,
  manifest: Manifest,
  { workFolder }: Pick<Campaign, 'workFolder'>,
) {
  const owners = [
    ...manifest.products.map(({ id, images }) => ({ id, images })),
    ...manifest.concepts.map(({ id, refImages }) => ({ id, images: refImages })),
  ];
  const files = owners.flatMap(({ id, images }) =>
    id === undefined ? images.flatMap((image) => ('file' in image ? [image.file] : [])) : [],
  );
  const started = clock.monotonic();
  return hashImages({
    disk,
    folder: manifest.folder,
    files,
    cacheFile: join(workFolder, 'stat-cache.json'),
    examine: createPhotoExaminer(),
    mostBytes: manifest.environment.gaps.maxUploadBytes,
    onProgress: (done, total) =>
      emit({ type: 'reading', what: 'reading photos', done, total, ms: clock.monotonic() - started }),
  });
}
