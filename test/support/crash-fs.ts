/**
 * `node:fs/promises` and the lock of fs-native-extensions over a crash disk: what a test puts in their place with
 * `vi.mock`. Code that runs in a process of such a disk sees that disk; all other code sees the real files.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { constants, type Stats } from 'node:fs';
import type { DiskOperation, DiskProcess } from './crash-disk.ts';
import { alive, CrashHandle, statsOf } from './crash-handle.ts';
import { diskError } from './disk-error.ts';

const inside = new AsyncLocalStorage<DiskProcess>();

/** Runs code as a process of a crash disk; what it starts belongs to it too. */
export function asProcess<T>(process: DiskProcess, run: () => Promise<T>): Promise<T> {
  return inside.run(process, run);
}

const FLAGS: Readonly<Record<string, number>> = {
  r: constants.O_RDONLY,
  'r+': constants.O_RDWR,
  w: constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC,
  wx: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
  ax: constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND,
};

function change<T>(
  kind: DiskOperation['kind'],
  path: string,
  effect: (process: DiskProcess) => T,
): Promise<T> {
  const process = inside.getStore();
  if (!process) throw new Error(`outside of every process: ${kind} ${path}`);
  return process.disk.operate(process, { kind, path, bytes: 0 }, () => effect(process));
}

const overDisk = {
  async open(path: string, flags: string | number = 'r', mode = 0o666): Promise<CrashHandle> {
    const process = inside.getStore() as DiskProcess;
    await alive(process);
    const bits = typeof flags === 'number' ? flags : (FLAGS[flags] ?? 0);
    const has = (bit: number) => (bits & bit) === bit;
    const { disk } = process;
    if (disk.names.has(path) && has(constants.O_EXCL)) throw diskError('EEXIST', 'open', path);
    const inode =
      disk.names.get(path) ??
      (has(constants.O_CREAT)
        ? await change('create', path, () => disk.make(path, mode, 'file'))
        : disk.find(path, 'open'));
    const handle = new CrashHandle(process, { path, inode, appends: has(constants.O_APPEND) });
    if (has(constants.O_TRUNC) && inode.data.length > 0) await handle.truncate(0);
    return handle;
  },
  async readFile(path: string): Promise<string> {
    const process = inside.getStore() as DiskProcess;
    await alive(process);
    return process.disk.find(path, 'open').data.toString();
  },
  async writeFile(
    path: string,
    content: string,
    { flag, mode }: { flag: string; mode: number },
  ): Promise<void> {
    const handle = await overDisk.open(path, flag, mode);
    await handle.writeFile(content);
    await handle.close();
  },
  /** Never over a file that is there. */
  async copyFile(from: string, to: string): Promise<void> {
    await overDisk.writeFile(to, await overDisk.readFile(from), { flag: 'wx', mode: 0o600 });
  },
  async stat(path: string): Promise<Stats> {
    const process = inside.getStore() as DiskProcess;
    await alive(process);
    return statsOf(process.disk.find(path, 'stat'));
  },
  lstat: (path: string) => overDisk.stat(path),
  realpath: (path: string) => Promise.resolve(path),
  async readdir(path: string): Promise<string[]> {
    const process = inside.getStore() as DiskProcess;
    await alive(process);
    process.disk.find(path, 'scandir');
    const names = [...process.disk.names.keys()].filter((name) => name.startsWith(`${path}/`));
    return names.map((name) => name.slice(path.length + 1)).filter((name) => !name.includes('/'));
  },
  async mkdir(
    path: string,
    { mode = 0o777, recursive = false }: { mode?: number; recursive?: boolean } = {},
  ): Promise<void> {
    const { disk } = inside.getStore() as DiskProcess;
    if (disk.names.has(path) && recursive) return;
    if (disk.names.has(path)) throw diskError('EEXIST', 'mkdir', path);
    await change('create', path, () => disk.make(path, mode, 'folder'));
  },
  async rename(from: string, to: string): Promise<void> {
    await change('rename', to, ({ disk }) => disk.rename(from, to));
  },
  async rm(path: string): Promise<void> {
    const { disk } = inside.getStore() as DiskProcess;
    if (disk.names.has(path)) await change('remove', path, () => disk.unlink(path));
  },
};

type Call = (...args: unknown[]) => unknown;

/** `node:fs/promises` as a process of a crash disk sees it; everybody else gets the real one. */
export function crashFs<T extends object>(real: T): T {
  const mixed = Object.entries(overDisk).map(([name, call]) => {
    const usual = Reflect.get(real, name) as Call;
    return [name, (...args: unknown[]) => (inside.getStore() ? (call as Call) : usual)(...args)];
  });
  return { ...real, ...(Object.fromEntries(mixed) as object) };
}

/** The kernel's lock, for open files of crash disks. */
export function tryLock(fd: number): boolean {
  const process = inside.getStore();
  const inode = process?.open.get(fd);
  if (!process || !inode) throw new Error(`no open file of a crash disk: ${fd}`);
  return process.disk.lock(inode, process);
}
