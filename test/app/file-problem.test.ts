import { describe, expect, it } from 'vitest';
import { fileProblem } from '../../src/app/file-problem.ts';
import { diskError } from '../support/disk-error.ts';

describe('an error that no command has words for', () => {
  it('is told as what the system said of a file', () => {
    const error = diskError('EACCES', 'scandir', 'photos');
    expect(fileProblem(error)).toEqual({
      code: 'cannot-use-file',
      summary: 'A file or folder cannot be used',
      detail: `${error.message}. What was done before is recorded in the state. Mend the folder's permissions, then run again.`,
    });
    expect(fileProblem(diskError('EMFILE', 'open', 'a.jpg'))?.detail).toContain('`ulimit -n`');
    expect(fileProblem(diskError('ENOENT', 'uv_cwd', ''))?.detail).toBe(
      'The folder that campaign was started in is gone. Start it in another one.',
    );
  });

  it.each([
    ['of the network', diskError('EACCES', 'listen', '')],
    ['of a program that cannot be started', diskError('ENOENT', 'spawn git', 'git')],
    ['that says nothing about the disk', diskError('EBADF', 'read', '')],
    ['of our own', new Error('no')],
    ['that is none', 'no'],
  ])('is a bug where it is one %s', (_, error) => {
    expect(fileProblem(error)).toBeUndefined();
  });
});
