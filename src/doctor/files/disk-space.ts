import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Check, ok, unknown, warning } from '../check.ts';
import type { Context } from '../context.ts';
import { checkWritable } from './writable.ts';

const GB = 1_000_000_000;

/** Free space where state and outputs go; the smaller one counts. */
export const diskSpace: Check<Context> = {
  id: 'disk_space',
  async look({ manifest: { outputs, folder }, stateFolder }) {
    const places = [resolve(stateFolder), ...(outputs ? [join(folder, outputs.dir)] : [])];
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
