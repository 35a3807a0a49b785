import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Check, ok, warning } from '../check.ts';
import type { Context } from '../context.ts';

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
