import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import type { Manifest } from '../manifest/manifest.ts';
import { STDIN } from '../model/manifest-file.ts';
import type { ManifestVersion } from '../model/payload.ts';
import { createSeenHeads } from '../store/known-head.ts';
import { realClock } from '../util/clock.ts';
import { realDisk } from '../util/disk.ts';
import { runGit } from '../util/run-git.ts';
import { createAttemptNotes } from './attempt-notes.ts';
import { createConnect, type ServiceSettings } from './connect-service.ts';
import type { AppEvent, ProcessVariables, Runtime } from './runtime.ts';
import { readProxies } from './transport.ts';

interface Surroundings extends ServiceSettings {
  /** By default the variables of this process. What Node and the proxies' library obey is always the process's own. */
  readonly env?: ProcessVariables | undefined;
  readonly emit: (event: AppEvent) => void;
}

/** The runtime of this machine: the only place that makes a clock, randomness and new ids. */
export function createRuntime({ env: given, emit, ...settings }: Surroundings): Runtime {
  const env = given ? obeyedWith(given) : process.env;
  const machine = { clock: realClock, random: Math.random, newId: randomUUID, env, disk: realDisk };
  const seen = createSeenHeads();
  return {
    ...machine,
    seen,
    connect: createConnect({ ...machine, emit }, settings),
    async openObjects(place) {
      const { openObjects } = await import('../storage/open-store.ts');
      const { deadlines, requestTimeouts: timeouts } = settings;
      return openObjects(place, { ...machine, deadlines, timeouts, ...(await readProxies(env)) });
    },
    async createSteps(io) {
      const { createSteps } = await import('../steps/create-steps.ts');
      return createSteps(io);
    },
    noteAttempts: (place) => createAttemptNotes(place, realClock),
    manifestVersion: (manifest) => manifestVersion(manifest, env),
    emit,
  };
}

/** NODE_DEBUG would print the token, and a proxy is chosen, by what stands in the process, whatever else was passed in. */
function obeyedWith(given: ProcessVariables): ProcessVariables {
  const pick = (env: ProcessVariables, isOfProcess: boolean) =>
    Object.entries(env).filter(([name]) => /^NODE_|_proxy$/i.test(name) === isOfProcess);
  return Object.fromEntries([...pick(given, false), ...pick(process.env, true)]);
}

/** What git prints about one file. */
const LONGEST_STATUS = 1 << 16;

/** The version of a manifest's text in git. Never fails: without git, or outside of a repository, it is not known. */
async function manifestVersion(
  { file, folder }: Pick<Manifest, 'file' | 'folder'>,
  env: ProcessVariables,
): Promise<ManifestVersion> {
  const name = basename(file);
  if (file === STDIN) return { file: name, commit: null, dirty: null };
  const flags = ['--porcelain=v2', '--branch', '--untracked-files=all', '--ignored=matching'];
  let said = '';
  const end = await runGit({
    folder,
    args: ['--literal-pathspecs', 'status', ...flags, '--', name],
    env,
    longestMs: 2_000,
    most: LONGEST_STATUS,
    take: (bytes) => {
      said += bytes.toString();
    },
  });
  const isKnown = end.type === 'ended' && end.code === 0;
  const commit = isKnown ? /^# branch\.oid ([0-9a-f]{40,64})$/m.exec(said)?.[1] : undefined;
  if (commit === undefined) return { file: name, commit: null, dirty: null };
  return { file: name, commit, dirty: /^[^#]/m.test(said) };
}
