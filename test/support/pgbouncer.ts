/** PgBouncer in transaction mode before a database: each transaction may get another session of the server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { userToRunAs } from './start-postgres.ts';

/** Gives the URL of the same database behind it, for the same role. */
export async function behindPgBouncer(url: string): Promise<string> {
  const { port, username, password } = new URL(url);
  const folder = await mkdtemp(path.join(tmpdir(), 'campaign-pgbouncer-'));
  const own = await freePort();
  const users = path.join(folder, 'users');
  const config = path.join(folder, 'pgbouncer.ini');
  await writeFile(users, `"${username}" "${password}"\n`);
  await writeFile(
    config,
    `[databases]
* = host=127.0.0.1 port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 12
max_client_conn = 100
`,
  );
  // It does not run as root.
  const user = userToRunAs();
  await chmod(folder, 0o755);
  if (user) for (const each of [folder, users, config]) await chown(each, user.uid, user.gid);
  const bouncer = spawn('pgbouncer', [config], { ...user, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(bouncer, 'exit');
  onTestFinished(async () => {
    bouncer.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true });
  });
  await new Promise<void>((resolve, reject) => {
    let log = '';
    bouncer.stderr.on('data', (text: Buffer) => /process up/.test((log += String(text))) && resolve());
    bouncer.once('exit', () => reject(new Error(log)));
  });
  const through = new URL(url);
  through.port = String(own);
  return through.href;
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
