import { flag } from '../cli/flags.ts';
import type { Verb } from './verb.ts';

/** `campaign db …` */
export const DB_VERBS: readonly Verb[] = [
  {
    usage: 'migrate',
    does: "make campaign's tables in a database, or bring them up to date; run it as the owner",
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
