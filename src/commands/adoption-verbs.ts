import { flag, LOCK_TIMEOUT } from '../cli/flags.ts';
import type { Verb } from './verb.ts';

/** What exists at the service already, and what others change there. */
export const ADOPTION_VERBS: readonly Verb[] = [
  {
    usage: 'import <manifest-or-address> <address-or-id> [id]',
    does: 'adopt a product, a concept or a request of posts that exists at the service; changes nothing there',
    flags: [
      flag('--unverified', 'take the id as it is, without reading: a concept cannot be read'),
      LOCK_TIMEOUT,
    ],
    examples: [
      'campaign import product/tote 0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f',
      'campaign import campaign.yaml concept/morning 3f0c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f --unverified',
      'campaign import media-config/hero 77aa1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f',
    ],
    load: async () => (await import('./import.ts')).importCommand,
  },
  {
    usage: 'refresh [manifest]',
    does: 'read again what the state knows: what was changed elsewhere, what is gone; makes nothing',
    flags: [flag('--detailed-exitcode', 'end with 2 when something differs'), LOCK_TIMEOUT],
    examples: [
      'campaign refresh campaign.yaml --env production',
      'campaign refresh --detailed-exitcode --quiet',
    ],
    load: async () => (await import('./refresh.ts')).refresh,
  },
];
