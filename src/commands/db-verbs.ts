import { filesFlag, flag, nodeKinds, positive } from '../cli/flags.ts';
import type { Verb } from './verb.ts';

/** What many machines share. */
export const WORKER_VERBS: readonly Verb[] = [
  {
    usage: 'worker',
    does: 'take part in the runs of a database, for all campaigns whose key and files are here, until it is stopped',
    readsManifest: 'no',
    flags: [
      flag('--state <url>', 'postgres:// URL of the database (CAMPAIGN_STATE)'),
      filesFlag(),
      flag('--slots <n>', 'in each run, how many nodes at once (default: 8)', positive),
      flag('--kinds <kinds>', 'only nodes of these kinds, e.g. media,download; can be repeated', nodeKinds),
      flag('--json', 'print what it does as JSON, one object a line'),
      flag('--no-color', 'plain text (NO_COLOR)'),
    ],
    examples: ['campaign worker --state postgres://anna@localhost/campaigns --slots 16'],
    load: async () => (await import('./worker.ts')).worker,
  },
  {
    usage: 'stop [manifest]',
    does: "end the campaign's run that workers carry out: what was sent is awaited, nothing more is begun",
    examples: ['campaign stop --env production', 'campaign stop --state postgres://anna@localhost/campaigns'],
    load: async () => (await import('./stop.ts')).stop,
  },
];

/** `campaign db …` */
export const DB_VERBS: readonly Verb[] = [
  {
    usage: 'migrate',
    does: "make campaign's tables in a database; run it as the owner",
    readsManifest: 'no',
    flags: [
      flag('--state <url>', 'postgres:// URL of the database (CAMPAIGN_STATE)'),
      flag('--json', 'print what was done as JSON'),
      flag('--no-color', 'plain text (NO_COLOR)'),
    ],
    examples: ['campaign db migrate --state postgres://owner@db.example.com/campaigns?sslmode=verify-full'],
    load: async () => (await import('./db-migrate.ts')).dbMigrate,
  },
];
