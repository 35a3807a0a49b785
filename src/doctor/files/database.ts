/** A state in a database: whether that can be used, and whether what it acknowledges stays. Only where one is named. */
import { EXIT } from '../../model/exit.ts';
import type { DatabaseFacts } from '../../store/database-facts.ts';
import { count } from '../../util/count.ts';
import { type Check, type CheckResult, ok, refusal, unknown, warning, wrong } from '../check.ts';
import type { Context } from '../context.ts';

/** The oldest that the statements of campaign and of its queue work with. */
const OLDEST_SERVER = 13;
/** What an apply and two workers need. */
const ROOM = 10;
const TOLERATED_MS = 60_000;

const database = checkOf('database', ({ server, version, needed, connection, role }) => {
  const tables = version === 0 ? 'no tables yet' : `tables of version ${version}`;
  const said = `Postgres ${server}, ${tables}, ${CONNECTIONS[connection]}`;
  if (Number.parseInt(server, 10) < OLDEST_SERVER)
    return warning(said, `Campaign is tried with Postgres 15 and 18; use ${OLDEST_SERVER} or newer.`);
  if (version === needed) return ok(said);
  if (version !== 0)
    return wrong(
      EXIT.badState,
      said,
      `This campaign works with version ${needed} only. Use the one that made them, or name another database.`,
    );
  if (role.canMigrate) return ok(`${said}; the next apply makes them`);
  const migrate = 'Run `campaign db migrate` as the owner of the tables.';
  return wrong(EXIT.configuration, `${said}, and ${role.name} may not make them`, migrate);
});

const CONNECTIONS = { encrypted: 'over TLS', local: 'on this machine', plain: 'not encrypted' } as const;

const role = checkOf('db_role', ({ version, role: { name, canRead, canWrite, canChangeEvents, lacks } }) => {
  if (version === 0) return unknown('not seen before the tables are there');
  if (!canRead) return wrong(EXIT.authentication, `${name} may not read the state`, GRANT);
  if (!canWrite)
    return warning(`${name} may read the state, but add nothing to it: apply ends with 77`, GRANT);
  if (lacks.length)
    return warning(`${name} lacks rights for runs that workers share, on ${listed(lacks)}`, GRANT);
  if (canChangeEvents)
    return warning(
      `${name} may change and remove what was recorded`,
      'Let cron, CI and people use a role that can only add to it: docs/scale.md, "Roles".',
    );
  return ok(`${name} may add to the state, and change nothing of it`);
});

const MOST_NAMES = 3;

function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMES;
  return `${names.slice(0, MOST_NAMES).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

const GRANT = 'docs/scale.md, "Roles", has the statements that give it the rights.';

const durability = checkOf('db_durability', ({ isStandby, unsafe, lateCopies }) => {
  if (isStandby)
    return wrong(
      EXIT.cannotWrite,
      'this server is a standby: it takes no records',
      'Name the server that takes writes.',
    );
  // Each connection of campaign sets synchronous_commit for itself.
  const lost = unsafe.filter((setting) => !setting.startsWith('synchronous_commit'));
  if (lost.length > 0)
    return warning(
      `${lost.join(', ')}: after a crash of the server, records of what was made may be gone`,
      'Set it to on.',
    );
  if (lateCopies === undefined)
    return unknown('this role may not see whether there are standbys (grant it pg_monitor)');
  if (lateCopies === 0) return ok('what is acknowledged is on disk, and no standby gets it late');
  return warning(
    `${lateCopies === 1 ? 'a standby' : `${lateCopies} standbys`} may be behind: a failover to one can lose the newest records, and creates that they were about are made twice`,
    'Set synchronous_standby_names, or bring the old server back in place of a failover.',
  );
});

const pooler = checkOf('db_pooler', ({ isPooled }) =>
  isPooled
    ? warning(
        'a connection is not a session of its own: a pooler in transaction mode is in between',
        'Use session pooling, or connect directly: the lock of a run is lost otherwise, so one that was killed stays open for 30 seconds.',
      )
    : ok('each connection is a session of its own'),
);

const room = checkOf('db_room', ({ freeConnections }) => {
  if (freeConnections >= ROOM) return ok('has room for more connections');
  return warning(
    `room for ${count(Math.max(0, freeConnections), 'more connection')}; an apply needs up to four, a worker one and two for each run`,
    'Raise max_connections, or the limit of the role or the database.',
  );
});

const clock = checkOf('db_clock', ({ aheadMs }) => {
  if (Math.abs(aheadMs) < TOLERATED_MS) return ok('agrees with the database');
  const minutes = Math.round(Math.abs(aheadMs) / 60_000);
  return warning(
    `this machine is ${minutes} min ${aheadMs > 0 ? 'ahead of' : 'behind'} the database`,
    'Who is alive is told by the clock of the database alone, but the times in the log are wrong: set the clock (NTP).',
  );
});

export const DATABASE_CHECKS: readonly Check<Context>[] = [database, role, durability, pooler, room, clock];

function checkOf(id: string, look: (facts: DatabaseFacts) => CheckResult): Check<Context> {
  return {
    id,
    ...(id !== 'database' && { needs: ['database'] }),
    async look({ examineDatabase }) {
      const facts = await examineDatabase();
      return facts.ok ? look(facts.value) : refusal(facts.error);
    },
  };
}
