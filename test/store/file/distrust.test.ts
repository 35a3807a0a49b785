import { expect, it } from 'vitest';
import { distrust } from '../../../src/store/file/state-file.ts';

type Type = 'file' | 'folder' | 'link' | 'fifo';

function stats(type: Type, uid = 1000) {
  return {
    uid,
    isSymbolicLink: () => type === 'link',
    isFile: () => type === 'file',
    isDirectory: () => type === 'folder',
  };
}

it.each([
  ['file', 1000, 1000, undefined],
  ['file', 0, 1000, undefined],
  ['file', 1000, undefined, undefined],
  ['file', 1000, 0, 'it belongs to another user (uid 1000, you are 0)'],
  ['file', 1001, 1000, 'it belongs to another user (uid 1001, you are 1000)'],
  ['link', 1000, 1000, 'it is a symbolic link'],
  ['fifo', 1000, 1000, 'it is no file'],
  ['folder', 1000, 1000, 'it is no file'],
] as const)('a %s of uid %s, for uid %s as a state: %s', (type, uid, user, expected) => {
  expect(distrust(stats(type, uid), { expected: 'file', user })).toBe(expected);
});

it('knows a folder from a file', () => {
  expect(distrust(stats('folder'), { expected: 'folder', user: 1000 })).toBeUndefined();
  expect(distrust(stats('file'), { expected: 'folder', user: 1000 })).toBe('it is no folder');
});
