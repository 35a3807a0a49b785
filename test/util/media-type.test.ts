import { describe, expect, it } from 'vitest';
import { extensionOf, imageTypeOf, mediaTypeOf, resultTypeOf } from '../../src/util/media-type.ts';

/** The box that begins an AVIF or HEIC file. */
function ftyp(major: string, ...compatible: readonly string[]): string {
  const brands = `ftyp${major}\0\0\0\0${compatible.join('')}`;
  return `\0\0\0${String.fromCharCode(brands.length + 4)}${brands}`;
}

describe('the media type by content', () => {
  it.each([
    ['\u00ff\u00d8\u00ff\u00e0', 'image/jpeg'],
    ['\u0089PNG\r\n\u001a\n', 'image/png'],
    ['GIF87a', 'image/gif'],
    ['GIF89a', 'image/gif'],
    ['RIFF\u0001\u0002\u0003\u0004WEBPVP8 ', 'image/webp'],
    ['II*\0', 'image/tiff'],
    ['MM\0*', 'image/tiff'],
    [ftyp('avif', 'mif1'), 'image/avif'],
    [ftyp('avis'), 'image/avif'],
    [ftyp('mif1', 'avif', 'miaf'), 'image/avif'],
    [ftyp('heic', 'mif1'), 'image/heic'],
    [ftyp('mif1', 'heic'), 'image/heic'],
    [ftyp('hevc'), 'image/heic'],
    [ftyp('isom', 'mp42'), 'video/mp4'],
    [`${ftyp('isom')}avif`, 'video/mp4'],
    [ftyp('qt  '), 'video/quicktime'],
    ['\u001aE\u00df\u00a3', 'video/webm'],
    ['RIFF\u0001\u0002\u0003\u0004WAVE', undefined],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', undefined],
    ['%PDF-1.7', undefined],
    ['', undefined],
  ])('%j is %s', (head, type) => {
    expect(mediaTypeOf(Buffer.from(head, 'latin1'))).toBe(type);
  });

  it.each([
    ['GIF89a', 'image/gif'],
    ['%PDF-1.7', 'application/pdf'],
    ['PK\u0003\u0004', 'application/zip'],
    ['PK\u0005\u0006', 'application/zip'],
    ['\u001f\u008b\u0008', 'application/gzip'],
    ['8BPS\u0000\u0001', 'image/vnd.adobe.photoshop'],
    ['BM\u0001\u0002\u0003\u0004\u0000\u0000\u0000\u0000', 'image/bmp'],
    ['BM is a text', undefined],
    ['\u00ff\u000a', 'image/jxl'],
    ['%!PS-Adobe-3.0', 'application/postscript'],
    ['RIFF\u0001\u0002\u0003\u0004AVI ', 'video/x-msvideo'],
  ])('%j may be a result as %s, but no photo', (head, type) => {
    const bytes = Buffer.from(head, 'latin1');
    expect(resultTypeOf(bytes)).toBe(type);
    if (type !== 'image/gif') expect(imageTypeOf(bytes)).toBeUndefined();
  });

  it('tells pictures from videos, and names both', () => {
    expect(imageTypeOf(Buffer.from('GIF89a'))).toBe('image/gif');
    expect(imageTypeOf(Buffer.from(ftyp('isom'), 'latin1'))).toBeUndefined();
    expect([extensionOf('image/tiff'), extensionOf('video/mp4'), extensionOf('text/html')]).toEqual([
      '.tif',
      '.mp4',
      '.bin',
    ]);
  });
});
