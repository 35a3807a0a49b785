/**
 * A disk in memory that can fail at any point. Processes open files on it; each change of the disk is one numbered
 * operation, at which the process may die, or the operation fail. It keeps apart what is written and what is synced, so
 * that a loss of power can take the difference, and names from contents, because a name is durable once its folder is.
 */
import { deferred } from '../../src/util/deferred.ts';
import { type DiskErrorCode, diskError } from './disk-error.ts';

/** What changes the disk. A folder that is synced makes its names durable. */
export interface DiskOperation {
  /** From 1, over the whole life of the disk. */
  readonly n: number;
  readonly kind: 'write' | 'sync' | 'truncate' | 'rename' | 'create' | 'remove' | 'chmod';
  readonly path: string;
  /** Bytes of a write. */
  readonly bytes: number;
}

/** What becomes of one operation. `after`: so many bytes of a write were taken before. */
export type DiskFault =
  | { readonly type: 'die'; readonly when: 'before' | 'after' }
  | { readonly type: 'fail'; readonly code: DiskErrorCode }
  | { readonly type: 'short'; readonly bytes: number; readonly ends: 'die' | DiskErrorCode };

/** A file or a folder, whatever its name. Contents are replaced, never changed. */
export interface Inode {
  readonly ino: number;
  readonly isFolder: boolean;
  mode: number;
  data: Buffer;
  synced: Buffer;
}

/** Somebody who uses the disk until it dies or ends. */
export interface DiskProcess {
  readonly disk: CrashDisk;
  readonly dead: boolean;
  /** What it has open, by descriptor. */
  readonly open: Map<number, Inode>;
  /** Errors that the disk gave it. */
  readonly faults: Error[];
  /** Resolves when a fault kills it. */
  readonly died: Promise<void>;
  /** It ends by itself: what it holds is free, and it does nothing more. */
  end(): void;
}

export interface CrashDisk {
  /** Names as a running system sees them. */
  readonly names: ReadonlyMap<string, Inode>;
  readonly operations: number;
  /** Asked at each operation. */
  fault: ((operation: DiskOperation) => DiskFault | undefined) | undefined;
  start(): DiskProcess;
  /** Takes the lock of a file for a process; false where another one that lives has it. */
  lock(inode: Inode, process: DiskProcess): boolean;
  unlock(inode: Inode, process: DiskProcess): void;
  find(path: string, syscall: string): Inode;
  make(path: string, mode: number, type: 'file' | 'folder'): Inode;
  unlink(path: string): void;
  rename(from: string, to: string): void;
  sync(inode: Inode, path: string): void;
  /** Carries out an operation of a process, or what its fault makes of it. A dead process never gets an answer. */
  operate<T>(process: DiskProcess, on: Omit<DiskOperation, 'n'>, effect: (bytes: number) => T): Promise<T>;
  /** Another disk with the same names and contents. */
  copy(): CrashDisk;
  /** Puts a file under a name, durably, as another program does that writes a new one and renames it. */
  put(path: string, content: Buffer): void;
  /** Power is gone and back: of what was not synced, chance decides. */
  losePower(random: () => number): void;
}

/** A new one each time: one for all would keep alive whatever ever waited for it. */
const never = () => new Promise<never>(() => {});

/** A disk with these folders. */
export function createCrashDisk(folders: readonly string[]): CrashDisk {
  let names = new Map<string, Inode>();
  let durable = new Map<string, Inode>();
  const locks = new Map<Inode, DiskProcess>();
  let inodes = 0;
  let operations = 0;

  function make(path: string, mode: number, type: 'file' | 'folder'): Inode {
    inodes += 1;
    const nothing = Buffer.alloc(0);
    const inode: Inode = { ino: inodes, isFolder: type === 'folder', mode, data: nothing, synced: nothing };
    names.set(path, inode);
    return inode;
  }

  for (const folder of folders) durable.set(folder, make(folder, 0o755, 'folder'));

  const disk: CrashDisk = {
    get names() {
      return names;
    },
    get operations() {
      return operations;
    },
    fault: undefined,
    start() {
      const death = deferred<void>();
      const state = { dead: false };
      return {
        disk,
        open: new Map(),
        faults: [],
        get dead() {
          return state.dead;
        },
        died: death.promise,
        end() {
          state.dead = true;
          death.resolve();
        },
      };
    },
    lock(inode, process) {
      const holder = locks.get(inode);
      if (holder && !holder.dead) return false;
      locks.set(inode, process);
      return true;
    },
    unlock(inode, process) {
      if (locks.get(inode) === process) locks.delete(inode);
    },
    find(path, syscall) {
      const inode = names.get(path);
      if (!inode) throw diskError('ENOENT', syscall, path);
      return inode;
    },
    make,
    unlink: (path) => void names.delete(path),
    rename(from, to) {
      names.set(to, disk.find(from, 'rename'));
      names.delete(from);
    },
    sync(inode, path) {
      inode.synced = inode.data;
      if (!inode.isFolder) return;
      const isIn = (name: string) => name.slice(0, name.lastIndexOf('/')) === path;
      for (const name of durable.keys()) if (isIn(name) && !names.has(name)) durable.delete(name);
      for (const [name, one] of names) if (isIn(name)) durable.set(name, one);
    },
    async operate(process, on, effect) {
      // No answer comes in the same turn, from no disk.
      await Promise.resolve();
      if (process.dead) return never();
      operations += 1;
      const fault = disk.fault?.({ ...on, n: operations });
      if (!fault) return effect(on.bytes);
      const fail = (code: DiskErrorCode) => {
        const error = diskError(code, on.kind, on.path);
        process.faults.push(error);
        return error;
      };
      if (fault.type === 'fail') throw fail(fault.code);
      if (fault.type === 'short') {
        effect(Math.min(fault.bytes, on.bytes));
        if (fault.ends !== 'die') throw fail(fault.ends);
      } else if (fault.when === 'after') {
        effect(on.bytes);
      }
      process.end();
      return never();
    },
    copy() {
      const twin = createCrashDisk([]);
      for (const [path, { isFolder, mode, data }] of names) {
        const inode = twin.make(path, mode, isFolder ? 'folder' : 'file');
        inode.data = data;
        inode.synced = data;
      }
      return twin;
    },
    put(path, content) {
      const inode = make(path, 0o600, 'file');
      inode.data = content;
      inode.synced = content;
      durable.set(path, inode);
    },
    losePower(random) {
      const after = new Map<string, Inode>();
      for (const name of new Set([...names.keys(), ...durable.keys()])) {
        const inode = random() < 0.5 ? names.get(name) : durable.get(name);
        if (inode) after.set(name, inode);
      }
      for (const inode of new Set(after.values())) {
        inode.data = whatIsLeft(inode, random);
        inode.synced = inode.data;
      }
      names = after;
      durable = new Map(after);
      locks.clear();
    },
  };
  return disk;
}

/** The synced beginning, some of what followed it, zeros at times; of what was written over, the old or the new. */
function whatIsLeft({ data, synced }: Inode, random: () => number): Buffer {
  if (data === synced) return data;
  const isAppended = data.length >= synced.length && data.subarray(0, synced.length).equals(synced);
  if (!isAppended) {
    const content = random() < 0.5 ? data : synced;
    const length = random() < 0.5 ? data.length : synced.length;
    return Buffer.concat([content.subarray(0, length), Buffer.alloc(Math.max(0, length - content.length))]);
  }
  const kept = synced.length + Math.floor(random() * (data.length - synced.length + 1));
  const zeros = random() < 0.5 ? data.length - kept : 0;
  return Buffer.concat([data.subarray(0, kept), Buffer.alloc(zeros)]);
}
