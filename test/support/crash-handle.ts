import type { Stats } from 'node:fs';
import type { DiskOperation, DiskProcess, Inode } from './crash-disk.ts';

let descriptors = 1_000_000;

/** An open file, as far as the state uses one. */
export class CrashHandle {
  readonly fd: number;
  readonly #process: DiskProcess;
  readonly #path: string;
  readonly #inode: Inode;
  readonly #appends: boolean;
  #position = 0;

  constructor(process: DiskProcess, of: { path: string; inode: Inode; appends: boolean }) {
    descriptors += 1;
    this.fd = descriptors;
    this.#process = process;
    this.#path = of.path;
    this.#inode = of.inode;
    this.#appends = of.appends;
    process.open.set(this.fd, of.inode);
  }

  async read(target: Buffer, offset: number, length: number, position: number) {
    await alive(this.#process);
    const bytesRead = this.#inode.data.copy(target, offset, position, position + length);
    return { bytesRead, buffer: target };
  }

  async readFile(encoding?: 'utf8'): Promise<string | Buffer> {
    await alive(this.#process);
    return encoding ? this.#inode.data.toString(encoding) : this.#inode.data;
  }

  /** Of bytes `from` is where they begin; of text, where it goes in the file. */
  async write(content: Uint8Array | string, from?: number): Promise<{ bytesWritten: number }> {
    const isText = typeof content === 'string';
    const bytes = isText ? Buffer.from(content) : Buffer.from(content).subarray(from ?? 0);
    const at = isText ? from : undefined;
    return {
      bytesWritten: await this.#operate('write', (count) => this.#put(bytes, count, at), bytes.length),
    };
  }

  async writeFile(content: Uint8Array | string): Promise<void> {
    const bytes = Buffer.from(content);
    await this.#operate('write', (count) => this.#put(bytes, count), bytes.length);
  }

  appendFile(content: string): Promise<void> {
    return this.writeFile(content);
  }

  truncate(length = 0): Promise<void> {
    return this.#operate('truncate', () => {
      const { data } = this.#inode;
      const longer = Buffer.alloc(Math.max(0, length - data.length));
      this.#inode.data = Buffer.concat([data.subarray(0, length), longer]);
    });
  }

  sync(): Promise<void> {
    return this.#operate('sync', () => this.#process.disk.sync(this.#inode, this.#path));
  }

  datasync(): Promise<void> {
    return this.sync();
  }

  chmod(mode: number): Promise<void> {
    return this.#operate('chmod', () => {
      this.#inode.mode = mode;
    });
  }

  async stat(): Promise<Stats> {
    await alive(this.#process);
    return statsOf(this.#inode);
  }

  async close(): Promise<void> {
    await alive(this.#process);
    this.#process.disk.unlock(this.#inode, this.#process);
    this.#process.open.delete(this.fd);
  }

  #operate<T>(kind: DiskOperation['kind'], effect: (bytes: number) => T, bytes = 0): Promise<T> {
    return this.#process.disk.operate(this.#process, { kind, path: this.#path, bytes }, effect);
  }

  #put(bytes: Buffer, count: number, at?: number): number {
    const { data } = this.#inode;
    const start = this.#appends ? data.length : (at ?? this.#position);
    const after = data.subarray(start + count);
    this.#inode.data = Buffer.concat([data.subarray(0, start), bytes.subarray(0, count), after]);
    if (at === undefined) this.#position = start + count;
    return count;
  }
}

/** A dead process waits for ever. */
export async function alive(process: DiskProcess): Promise<void> {
  await Promise.resolve();
  if (process.dead) await new Promise<never>(() => {});
}

/** What the disk says of a file. */
export function statsOf(inode: Inode): Stats {
  const { ino, isFolder, mode, data } = inode;
  const is = { isFile: () => !isFolder, isDirectory: () => isFolder, isSymbolicLink: () => false };
  return { ...is, ino, dev: 1, mode, size: data.length, uid: process.getuid?.() ?? 0 } as Stats;
}
