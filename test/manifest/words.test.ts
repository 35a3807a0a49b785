import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/util/did-you-mean.ts';
import { parseDuration } from '../../src/util/duration.ts';
import { fillIn, findExpressions, wholeExpression } from '../../src/manifest/expressions.ts';
import { isImageName } from '../../src/manifest/image-names.ts';
import { inOrderOfNames } from '../../src/manifest/list-images.ts';

describe('parseDuration', () => {
  it.each([
    ['30m', 1_800_000],
    ['1h30m', 5_400_000],
    ['250ms', 250],
    ['2d', 172_800_000],
    ['0s', 0],
    ['', undefined],
    ['30', undefined],
    ['m', undefined],
    ['1.5h', 5_400_000],
    ['1.h', undefined],
    ['-1s', undefined],
    ['99999999999999999999d', undefined],
  ])('%s → %s', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });
});

describe('expressions', () => {
  it('are found with their names', () => {
    expect(findExpressions('a ${{ vars.x }}${{matrix.a-b}} ${{ }} ${{ x')).toEqual([
      { text: '${{ vars.x }}', context: 'vars', name: 'x' },
      { text: '${{matrix.a-b}}', context: 'matrix', name: 'a-b' },
      { text: '${{ }}' },
      { text: '${{ x' },
    ]);
  });

  it('are filled in where they are known, in one pass', () => {
    const lookup = ({ name }: { name?: string }) =>
      name === 'x' ? '${{ vars.y }}' : name === 'y' ? '$&' : undefined;
    expect(fillIn('${{ vars.x }} ${{ vars.y }} ${{ vars.z }}', lookup)).toBe(
      '${{ vars.y }} $& ${{ vars.z }}',
    );
  });

  it('are the whole text or a part of it', () => {
    expect(wholeExpression('${{ vars.x }}')?.name).toBe('x');
    expect(wholeExpression('${{ vars.x }}!')).toBeUndefined();
    expect(wholeExpression('${{ vars.x }}${{ vars.y }}')).toBeUndefined();
  });
});

describe('nearest', () => {
  it.each([
    ['desciption', 'description'],
    ['itmes', 'items'],
    ['Name', 'name'],
    ['x', undefined],
    ['colour', undefined],
  ])('%s → %s', (word, expected) => {
    expect(nearest(word, ['name', 'items', 'description', 'images', 'y'])).toBe(expected);
  });
});

describe('names of images', () => {
  it('are ordered by the code points of their NFC form', () => {
    const names = [
      'b.jpg',
      'a10.jpg',
      'a2.jpg',
      'B.jpg',
      'e\u0301.jpg',
      'f.jpg',
      '\u{1F600}.jpg',
      '\uFF21.jpg',
      'é2.jpg',
    ];
    expect(names.toSorted(inOrderOfNames)).toEqual([
      'B.jpg',
      'a10.jpg',
      'a2.jpg',
      'b.jpg',
      'f.jpg',
      'e\u0301.jpg',
      'é2.jpg',
      '\uFF21.jpg',
      '\u{1F600}.jpg',
    ]);
    expect(['\u00e9', 'e\u0301'].toSorted(inOrderOfNames)).toEqual(['e\u0301', '\u00e9']);
  });

  it('end in one of thirteen ways', () => {
    const names = 'a.jpg a.JPEG a.jfif a.jpe a.png a.webp a.gif a.avif a.heic a.HEIF a.hif a.tif a.tiff';
    expect(names.split(' ').every(isImageName)).toBe(true);
    expect(['a.txt', 'jpg', '.a.jpg', 'a.jpg.bak', 'a.svg'].some(isImageName)).toBe(false);
  });
});
