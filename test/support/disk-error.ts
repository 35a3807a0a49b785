/** Errors of a disk, as node:fs words them. */
export type DiskErrorCode = 'EIO' | 'ENOSPC';

const TEXTS: Readonly<Record<DiskErrorCode | 'EACCES' | 'EBADF' | 'EEXIST' | 'EMFILE' | 'ENOENT', string>> = {
  EIO: 'i/o error',
  ENOSPC: 'no space left on device',
  EACCES: 'permission denied',
  EBADF: 'bad file descriptor',
  EMFILE: 'too many open files',
  ENOENT: 'no such file or directory',
  EEXIST: 'file already exists',
};

/** The error of one call. */
export function diskError(code: keyof typeof TEXTS, syscall: string, path: string): NodeJS.ErrnoException {
  const error: NodeJS.ErrnoException = new Error(`${code}: ${TEXTS[code]}, ${syscall} '${path}'`);
  return Object.assign(error, { code, syscall, path });
}
