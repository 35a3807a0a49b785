import { describe, expect, it } from 'vitest';
import { closingProblem, diskProblem, fileProblem } from '../../src/app/disk-problem.ts';
import { DatabaseError } from '../../src/store/postgres/database-error.ts';
import { ReplacedError, StateWriteError } from '../../src/store/write-error.ts';
import { diskError } from '../support/disk-error.ts';

const FULL = diskError('ENOSPC', 'write', 'm.state.jsonl');

describe('a state that cannot be written', () => {
  it('says what became of what was under way, and what to do', () => {
    const error = new StateWriteError('The state cannot be written: no space', {
      cause: FULL,
      keptIn: '.campaign/errored-1.jsonl',
    });
    expect(diskProblem(error)).toEqual({
      code: 'cannot-write',
      summary: 'The state cannot be written',
      detail:
        'The state cannot be written: no space. Nothing more was sent. What was under way is kept in ' +
        '.campaign/errored-1.jsonl, and the next run takes it in. Free the disk, then run again.',
    });
    const lost = new StateWriteError('The state cannot be written: no space', { cause: FULL });
    expect(diskProblem(lost)?.detail).toContain(
      'What was under way could not be kept either: the lines above are all there is of it.',
    );
  });

  it('does not blame the disk where another program took its place', () => {
    const cause = new ReplacedError('m.state.jsonl was replaced during the run');
    const error = new StateWriteError('The state cannot be written: it was replaced', { cause });
    expect(diskProblem(error)?.detail).toMatch(
      / Another program did that: git, an editor, a folder that is kept in sync\. See to it that the file in its place is the one that counts, then run again\.$/,
    );
  });

  it('names one way where the log is kept: to put it back', () => {
    const cause = new ReplacedError('m.state.jsonl was replaced during the run', '.campaign/m.replaced-1');
    const error = new StateWriteError(`The state cannot be written: ${cause.message}`, { cause });
    expect(diskProblem(error)?.detail).toBe(
      'The state cannot be written: m.state.jsonl was replaced during the run; as this run wrote it, it is kept in ' +
        '.campaign/m.replaced-1: put that back in its place, then run again. Nothing more was sent. What was under ' +
        'way could not be kept either: the lines above are all there is of it. Another program did that: git, an ' +
        'editor, a folder that is kept in sync.',
    );
  });
});

describe('a database that stays away', () => {
  it('is where to look, and not the disk', () => {
    const cause = new DatabaseError('28P01', 'the log-in was refused');
    const error = new StateWriteError('The state cannot be read: refused', { cause, hasNothing: true });
    expect(diskProblem(error)?.detail).toBe(
      'The state cannot be read: refused. Nothing more was sent. See to the database, then run again: `campaign doctor` looks at it.',
    );
  });
});

describe('output that cannot be written', () => {
  it.each([
    ['ENOSPC', 'Free the disk, then run again.'],
    ['EACCES', "Mend the folder's permissions, then run again."],
    ['EISDIR', 'Move away what stands in its place, then run again.'],
    ['ENOENT', 'Bring back what was taken away, then run again.'],
    ['EIO', 'The disk may be failing: look at it, then run again.'],
    ['EWEIRD', "Look at the disk and at the folder's permissions, then run again."],
    [undefined, "Look at the disk and at the folder's permissions, then run again."],
  ])('%s: %s', (code, advice) => {
    const error = Object.assign(new Error(`${code}: rename`), { code, syscall: 'rename' });
    expect(diskProblem(error)).toEqual({
      code: 'cannot-write',
      summary: 'The output cannot be written',
      detail: `${code}: rename. What was done before is recorded in the state. ${advice}`,
    });
  });

  it('is not any other error, which is a bug', () => {
    for (const error of [new TypeError('x is undefined'), 'EIO', undefined]) {
      expect([diskProblem(error), closingProblem(error)]).toEqual([undefined, undefined]);
    }
  });
});

describe('a state that cannot be closed', () => {
  it('is whole all the same', () => {
    expect(closingProblem(diskError('EIO', 'close', 'm.state.jsonl'))?.detail).toBe(
      "EIO: i/o error, close 'm.state.jsonl'. All that was recorded is in the state, and durable. What .campaign " +
        'keeps beside it may be behind. The disk may be failing: look at it, then run again.',
    );
  });
});

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
