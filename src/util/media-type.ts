/** First bytes that are enough for `mediaTypeOf`. */
export const MEDIA_TYPE_BYTES = 32;

/** Media type by content: the picture and video formats that products, references and results come in. */
export function mediaTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.length, MEDIA_TYPE_BYTES)).toString(
    'latin1',
  );
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp';
  if (/^(II\*\0|MM\0\*)/.test(text)) return 'image/tiff';
  if (text.startsWith('\x1aE\xdf\xa3')) return 'video/webm';
  const brand = /^.{4}ftyp(.{4})/s.exec(text)?.[1];
  if (brand === undefined) return undefined;
  if (/^avi[fs]$/.test(brand)) return 'image/avif';
  if (/^(hei[cxms]|hev[cx]|mif1|msf1)$/.test(brand)) return 'image/heic';
  return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4';
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/gif': '.gif',
  'image/webp': '.webp',
  'image/tiff': '.tif',
  'image/avif': '.avif',
  'image/heic': '.heic',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
  'video/webm': '.webm',
};

/** The file name extension of a media type that `mediaTypeOf` knows. */
export function extensionOf(mediaType: string): string {
  return EXTENSIONS[mediaType] ?? '.bin';
}
