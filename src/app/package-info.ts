import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packageJson from '../../package.json' with { type: 'json' };

export const version: string = packageJson.version;

export const oldestNode: string = packageJson.engines.node.replace('>=', '');

/** A file of the installed package, from its root; the bundle and the sources are both below it. */
export function packageFile(...path: readonly string[]): string {
  const here = dirname(fileURLToPath(import.meta.url));
  const root = here.replace(/[/\\](dist|src)([/\\].*)?$/, '');
  return join(root, ...path);
}
