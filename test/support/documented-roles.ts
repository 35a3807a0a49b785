/** The roles of docs/scale.md, made by the statements that stand there. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { runSql } from './postgres.ts';

const DOCS = readFileSync(path.join(import.meta.dirname, '../../docs/scale.md'), 'utf8');

export const ROLE_PASSWORD = 'canary-role-3Kx9';

export interface DocumentedRoles {
  /** The URL of the database for a role. */
  readonly as: (role: 'owner' | 'worker' | 'reader') => string;
  /** What is granted once the tables are there. */
  readonly grant: () => Promise<void>;
}

/** Makes them for a database. Roles belong to the whole server, so they have its name in theirs. */
export async function makeRoles(url: string): Promise<DocumentedRoles> {
  const suffix = `_${new URL(url).pathname.slice(1)}`;
  const [, sql = ''] = /```sql test\/store\/postgres\/roles\.test\.ts\n([^]*?)```/.exec(DOCS) ?? [];
  const [before = '', after = ''] = sql
    .replaceAll(/campaign_(owner|worker|reader)/g, `campaign_$1${suffix}`)
    .replaceAll(/'a(?:nother one| long one| third one)'/g, `'${ROLE_PASSWORD}'`)
    .split('-- afterwards');
  await runSql(url, before);
  return {
    as(role) {
      const login = new URL(url);
      login.username = `campaign_${role}${suffix}`;
      login.password = ROLE_PASSWORD;
      return login.href;
    },
    grant: async () => void (await runSql(url, `--${after}`)),
  };
}
