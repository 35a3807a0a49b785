/** First bytes that are enough to tell a type. */
export const MEDIA_TYPE_BYTES = 64;

/** Media type by content, whatever a name says: the picture and video formats that products and results come in. */
export function mediaTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, MEDIA_TYPE_BYTES)).toString('latin1');
  if (text.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^GIF8[79]a/.test(text)) return 'image/gif';
  if (/^RIFF.{4}WEBP/s.test(text)) return 'image/webp';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'image/tiff';
  if (text.startsWith('\x1aE\xdf\xa3')) return 'video/webm';
  return text.slice(4, 8) === 'ftyp' ? boxedType(text) : undefined;
}

/** The same for pictures only. */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const type = mediaTypeOf(head);
  return type?.startsWith('image/') ? type : undefined;
}

/** AVIF, HEIC and MP4 share a container; its brands, four letters each, say which one it is. */
function boxedType(text: string): string {
  const length = Math.min(text.charCodeAt(2) * 256 + text.charCodeAt(3), text.length);
  const brands = [text.slice(8, 12)];
  for (let at = 16; at + 4 <= length; at += 4) brands.push(text.slice(at, at + 4));
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'image/avif';
  if (brands.some((brand) => /^(?:hei[cxms]|hev[cx]|mif1|msf1)$/.test(brand))) return 'image/heic';
  return brands[0] === 'qt  ' ? 'video/quicktime' : 'video/mp4';
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

/** The file name extension, with its dot, of a media type that `mediaTypeOf` knows. */
export function extensionOf(mediaType: string): string {
  return EXTENSIONS[mediaType] ?? '.bin';
}
