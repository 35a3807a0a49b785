import { describe, expect, it } from 'vitest';
import { fileNames, olderTakePath, outputPath } from '../../src/model/output-path.ts';

const VALUES = { post: 'grid/morning+tote', item: '1', postType: 'image', take: 2 };
const names = { matrix: { hero: [] }, keys: {} };
const path = (name: string, values = {}) =>
  outputPath({ dir: 'out/spring', name, names }, { ...VALUES, ...values });

describe('the path of an output', () => {
  it.each([
    ['{post}/{instance}/{item}-{post_type}', 'out/spring/grid/morning+tote/1-image'],
    ['{post}-{instance}-{item}', 'out/spring/grid-morning+tote-1'],
    ['all/{item}.{take}', 'out/spring/all/1.2'],
    ['flat', 'out/spring/flat'],
  ])('fills %s', (name, expected) => {
    expect(path(name)).toBe(expected);
  });

  it.each([
    ['{post}/{instance}/{item}', 'out/spring/hero/1'],
    ['{post}-{instance}-{item}', 'out/spring/hero-1'],
    ['{instance}-{item}', 'out/spring/1'],
    ['{item}-{instance}', 'out/spring/1'],
    ['{item}_-{instance}', 'out/spring/1'],
    ['{instance}/{post}', 'out/spring/hero'],
    ['{post}/{what}', 'out/spring/hero'],
  ])('leaves nothing behind of an empty part of %s', (name, expected) => {
    expect(path(name, { post: 'hero' })).toBe(expected);
  });

  it('keeps apart what differs in its last character only', () => {
    expect(path('{item}', { item: 'a-' })).not.toBe(path('{item}', { item: 'a' }));
    expect(path('{item}', { item: 'a--b' })).not.toBe(path('{item}', { item: 'a-b' }));
  });

  it('hides no file and leads nowhere else', () => {
    expect(path('../.{item}')).toBe('out/spring/1');
  });

  it('may be absolute, where that is allowed', () => {
    expect(outputPath({ dir: '/srv/out/', name: '{item}' }, VALUES)).toBe('/srv/out/1');
  });
});

describe('the names of the files of a take', () => {
  const file = (path: string) => ({ path, sha256: 'f', bytes: 1, contentType: 'image/png' });

  it('are its path with the extension', () => {
    expect(fileNames('out/1-image', [file('elsewhere/x.jpg')])).toEqual(['out/1-image.jpg']);
  });

  it('are numbered where there are several', () => {
    expect(fileNames('out/1', [file('.jpg'), file('.mp4')])).toEqual(['out/1-1.jpg', 'out/1-2.mp4']);
  });

  it('have no extension where there was none', () => {
    expect(fileNames('out/1', [file('x')])).toEqual(['out/1']);
  });

  it('name the take once it is an older one', () => {
    expect(fileNames(olderTakePath('out/1', 3), [file('out/1.jpg')])).toEqual(['out/1.take3.jpg']);
  });
});
