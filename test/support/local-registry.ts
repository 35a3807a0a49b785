/** A registry on this machine with the packages that are installed here: npm gets what it asks for without a network. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const INSTALLED = join(import.meta.dirname, '..', '..', 'node_modules');
const TARBALL = '/-.tar';

export interface LocalRegistry {
  /** Runs npm as somebody does who has never used it: with an empty cache and no settings. */
  npm(
    args: readonly string[],
    folders: { readonly cwd: string; readonly home: string },
  ): Promise<{ readonly stdout: string; readonly stderr: string }>;
  close(): Promise<void>;
}

export async function startLocalRegistry(): Promise<LocalRegistry> {
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const folder = join(INSTALLED, path.replace(TARBALL, ''));
    // Packages for other platforms are not here.
    if (!existsSync(folder)) response.writeHead(404).end('{}');
    else if (path.endsWith(TARBALL)) {
      spawn('tar', ['-cf', '-', '-C', dirname(folder), basename(folder)]).stdout.pipe(response);
    } else void describe(folder, `${url}${path}`).then((text) => response.end(text));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    npm: (args, { cwd, home }) =>
      promisify(execFile)('npm', [...args, `--registry=${url}`, '--no-audit', '--no-fund'], {
        cwd,
        env: {
          PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
          HOME: home,
          npm_config_cache: join(home, 'cache'),
          npm_config_update_notifier: 'false',
        },
      }),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

/** What a registry says of a package: here it has one version. */
async function describe(folder: string, url: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
  };
  const { name, version } = manifest;
  const only = { ...manifest, dist: { tarball: `${url}${TARBALL}` } };
  return JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: only } });
}
