import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { EXIT } from '../../model/exit.ts';
import { isThere } from '../../util/new-file.ts';
import { type Check, ok, unknown, warning, wrong } from '../check.ts';
import type { Context } from '../context.ts';

export const stateFolder: Check<Context> = {
  id: 'state_folder',
  async look({ stateFolder: folder }) {
    const { code } = await checkWritable(resolve(folder));
    if (code === undefined) return ok(`${folder} can be written to`);
    return wrong(
      EXIT.cannotWrite,
      `${folder} cannot be written to (${code})`,
      'Check the folder and its owner, or name another file with --state.',
    );
  },
};

export const outputFolder: Check<Context> = {
  id: 'output_folder',
  async look({ manifest: { outputs, folder } }) {
    if (!outputs) return ok('outputs: false, nothing is downloaded');
    const { existing, code } = await checkWritable(resolve(folder, outputs.dir));
    if (code === undefined) return ok(`${outputs.dir} can be written to`);
    return wrong(
      EXIT.cannotWrite,
      `${outputs.dir} cannot be made or written to: ${existing} (${code})`,
      'Check the folder and its owner, or set outputs.dir.',
    );
  },
};

const GB = 1_000_000_000;

export const diskSpace: Check<Context> = {
  id: 'disk_space',
  async look({ manifest: { outputs, folder }, stateFolder }) {
    const places = [resolve(stateFolder), ...(outputs ? [resolve(folder, outputs.dir)] : [])];
    const free: number[] = [];
    for (const place of places) {
      const { existing } = await checkWritable(place);
      const stats = await statfs(existing).catch(() => undefined);
      if (stats) free.push(stats.bavail * stats.bsize);
    }
    if (!free.length) return unknown('this file system does not tell');
    const least = Math.min(...free);
    const text = `${(least / GB).toFixed(least < 10 * GB ? 1 : 0)} GB free`;
    if (least >= GB) return ok(text);
    return warning(text, 'Make room: a run that cannot write its state stops at once (exit 74).');
  },
};

/** Types of statfs(2) on Linux whose locks and syncs depend on another machine or program. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x65735546, 'FUSE'],
  [0x01021997, '9P'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
  [0x01161970, 'GFS2'],
  [0x7461636f, 'OCFS2'],
  [0x0bd00bd0, 'Lustre'],
  [0x47504653, 'GPFS'],
  [0x786f4256, 'VirtualBox shared folder'],
]);

export const fileSystem: Check<Context> = {
  id: 'file_system',
  async look({ workFolder }) {
    const stats = await statfs(dirname(workFolder)).catch(() => undefined);
    const name = process.platform === 'linux' ? networkFileSystem(stats?.type ?? 0) : undefined;
    if (name === undefined) return ok('local');
    return warning(
      `the state lies on ${name}`,
      'There a lock may not hold between machines, and a sync may not be durable: keep the state on a local disk (--state), and share it through git.',
    );
  },
};

/** The name of a file system that another machine or program keeps; `type` as statfs gives it, signed or not. */
export function networkFileSystem(type: number): string | undefined {
  return REMOTE.get(type >>> 0);
}

/** The folder, or the nearest existing one above it, and why it cannot be written to, if so. */
export async function checkWritable(folder: string): Promise<{ existing: string; code?: string }> {
  try {
    if (!(await stat(folder)).isDirectory()) return { existing: folder, code: 'ENOTDIR' };
    await access(folder, constants.W_OK | constants.X_OK);
    return { existing: folder };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
    const above = dirname(folder);
    // A link to nothing is in the way, too.
    if (code === 'ENOENT' && (await isThere(folder))) return { existing: folder, code };
    // Where a file is in the way, it is further up.
    return (code === 'ENOENT' || code === 'ENOTDIR') && above !== folder
      ? checkWritable(above)
      : { existing: folder, code };
  }
}
