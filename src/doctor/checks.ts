import type { Check } from './check.ts';
import type { Context, Machine } from './context.ts';
import { diskSpace } from './files/disk-space.ts';
import { fileSystem } from './files/file-system.ts';
import { outputFolder, stateFolder } from './files/folders.ts';
import { gitIgnore } from './files/git-ignore.ts';
import { kernelLock } from './files/kernel-lock.ts';
import { lock } from './files/lock.ts';
import { state } from './files/state.ts';
import { conceptRead } from './gaps/concept-read.ts';
import { expiresAt } from './gaps/expires-at.ts';
import { form } from './gaps/form.ts';
import { items } from './gaps/items.ts';
import { mediaPath } from './gaps/media-path.ts';
import { mediaUrls } from './gaps/media-urls.ts';
import { nothingDone } from './gaps/nothing-done.ts';
import { onUnknown } from './gaps/on-unknown.ts';
import { statuses } from './gaps/statuses.ts';
import { successCodes } from './gaps/success-codes.ts';
import { uploadUrl } from './gaps/upload-url.ts';
import { node } from './node.ts';
import { access } from './service/access.ts';
import { apiKey } from './service/api-key.ts';
import { certificates } from './service/certificates.ts';
import { clock } from './service/clock.ts';
import { connection } from './service/connection.ts';
import { baseUrl, environment } from './service/environment.ts';
import { proxy } from './service/proxy.ts';
import { tls } from './service/tls.ts';
import { token } from './service/token.ts';

/** Checks under one heading. */
export interface CheckGroup<C> {
  readonly title: string;
  readonly checks: readonly Check<C>[];
}

/** What can be looked at without a campaign. */
export const MACHINE_CHECKS: CheckGroup<Machine> = { title: 'Machine', checks: [node] };

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
