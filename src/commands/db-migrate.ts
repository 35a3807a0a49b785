import type { SharedOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import { refusal } from '../model/problem.ts';
import { openDatabase } from '../store/open-store.ts';
import { isDatabaseUrl } from '../util/database-url.ts';

export async function dbMigrate({
  options,
  output,
  runtime: { env },
}: Session<Pick<SharedOptions, 'state'>>): CommandEnd {
  const named = options.state || env['CAMPAIGN_STATE'];
  if (!named || !isDatabaseUrl(named)) return NO_DATABASE;
  const opened = openDatabase(named, env);
  if (!opened.ok) return refusal(opened.error.exit, opened.error);
  const { name, migrate } = opened.value;
  const migrated = await migrate();
  if (!migrated.ok) return refusal(migrated.error.exit, migrated.error);
  const { before, now } = migrated.value;
  const text =
    before === now
      ? `${name}: the tables have version ${now}; there is nothing to do.\n`
      : `${output.style.green('✓')} ${name}: made the tables, version ${now}.\n`;
  output.answer({ state: name, before, version: now }, text);
  return EXIT.ok;
}

const NO_DATABASE = refusal(EXIT.usage, {
  code: 'no-database-named',
  summary: 'No database for the state',
  detail: 'Name it with --state postgres://USER@HOST/DATABASE, or with CAMPAIGN_STATE.',
});
