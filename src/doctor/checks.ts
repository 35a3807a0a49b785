import { EXIT } from '../model/exit.ts';
import { type Check, ok, wrong } from './check.ts';
import type { Context, Machine } from './context.ts';
import { diskSpace, fileSystem, outputFolder, stateFolder } from './files/folders.ts';
import { DATABASE_CHECKS } from './files/database.ts';
import { storage } from './files/storage.ts';
import { gitIgnore, kernelLock, lock, state } from './files/state.ts';
import { conceptRead, form, items, nothingDone, onUnknown } from './gaps/creates.ts';
import { expiresAt, successCodes, uploadUrl } from './gaps/answers.ts';
import { mediaPath, mediaUrls, statuses } from './gaps/posts.ts';
import { access, token } from './service/token.ts';
import { apiKey, baseUrl, clock, environment } from './service/environment.ts';
import { certificates, connection, proxy, tls } from './service/connection.ts';

export interface CheckGroup<C> {
  readonly title: string;
  readonly checks: readonly Check<C>[];
}

const node: Check<Machine> = {
  id: 'node',
  look({ nodeVersion, oldestNode }) {
    const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
    const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
    if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
      return ok(`Node ${nodeVersion}`);
    const action = `Install Node ${oldestNode} or newer.`;
    return wrong(EXIT.configuration, `Node ${nodeVersion} is too old`, action);
  },
};

export const MACHINE_CHECKS: CheckGroup<Machine> = { title: 'Machine', checks: [node] };

interface Kept {
  /** The storage of photos and results, if one is named. */
  readonly files: string | undefined;
  readonly state: 'in a file' | 'in a database';
}

/** Those of a campaign whose state, photos and results are kept so. */
export function checksFor({ files, state: place }: Kept): readonly CheckGroup<Context>[] {
  const storages = files === undefined ? [] : [storage];
  const databases = place === 'in a database' ? DATABASE_CHECKS : [];
  return CAMPAIGN_CHECKS.map((group) => {
    const [first, ...rest] = group.checks;
    if (first !== stateFolder) return group;
    return { ...group, checks: [first, ...databases, ...rest, ...storages] };
  });
}

/** What one campaign needs, in the order in which one thing depends on another. */
export const CAMPAIGN_CHECKS: readonly CheckGroup<Context>[] = [
  {
    title: 'Files',
    checks: [stateFolder, state, lock, kernelLock, fileSystem, outputFolder, diskSpace, gitIgnore],
  },
  {
    title: 'Service',
    checks: [environment, baseUrl, proxy, certificates, connection, tls, apiKey, token, access, clock],
  },
  {
    title: 'What the interface leaves open',
    checks: [
      mediaPath,
      statuses,
      uploadUrl,
      expiresAt,
      form,
      mediaUrls,
      successCodes,
      nothingDone,
      onUnknown,
      items,
      conceptRead,
    ],
  },
];
