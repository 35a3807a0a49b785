/** This many first bytes are enough to tell a type. */
export const MEDIA_TYPE_BYTES = 64;

/** By content, whatever the name says: the picture and video formats of products and results. */
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

/** As `mediaTypeOf`, with the formats that only results have. */
export function resultTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.subarray(0, MEDIA_TYPE_BYTES)).toString('latin1');
  return mediaTypeOf(head) ?? OTHER_BEGINNINGS.find(([beginning]) => beginning.test(text))?.[1];
}

// oxlint-disable no-control-regex -- these bytes tell the formats apart
const OTHER_BEGINNINGS: readonly (readonly [RegExp, string])[] = [
  [/^%PDF-/, 'application/pdf'],
  [/^PK(?:\x03\x04|\x05\x06)/, 'application/zip'],
  [/^\x1f\x8b\x08/, 'application/gzip'],
  [/^8BPS\0/, 'image/vnd.adobe.photoshop'],
  [/^(?:\xff\x0a|\0\0\0\x0cJXL )/, 'image/jxl'],
  [/^%!PS/, 'application/postscript'],
  [/^BM.{4}\0{4}/s, 'image/bmp'],
  [/^RIFF.{4}AVI /s, 'video/x-msvideo'],
];

export function imageTypeOf(head: Uint8Array): string | undefined {
  const type = mediaTypeOf(head);
  return type?.startsWith('image/') ? type : undefined;
}

/** AVIF, HEIC and MP4 share a container; the four-letter brands in it say which one it is. */
function boxedType(text: string): string {
  const length = Math.min(text.charCodeAt(2) * 256 + text.charCodeAt(3), text.length);
  const brands = [text.slice(8, 12)];
  for (let at = 16; at + 4 <= length; at += 4) brands.push(text.slice(at, at + 4));
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'image/avif';
  if (brands.some((brand) => /^(?:hei[cxms]|hev[cx]|mif1|msf1)$/.test(brand))) return 'image/heic';
  return brands[0] === 'qt  ' ? 'video/quicktime' : 'video/mp4';
}

/** Extensions of types that the content shows. */
const FOUND: Readonly<Record<string, string>> = {
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
  'image/vnd.adobe.photoshop': '.psd',
  'image/bmp': '.bmp',
  'image/jxl': '.jxl',
  'application/pdf': '.pdf',
  'application/postscript': '.ps',
  'application/zip': '.zip',
  'application/gzip': '.gz',
  'video/x-msvideo': '.avi',
};

/** Extensions of types that are taken from the sender; none of them makes a system run the file. */
const DECLARED: Readonly<Record<string, string>> = {
  'image/svg+xml': '.svg',
  'video/x-matroska': '.mkv',
  'video/mpeg': '.mpg',
  'video/ogg': '.ogv',
  'audio/mpeg': '.mp3',
  'audio/mp4': '.m4a',
  'audio/ogg': '.ogg',
  'audio/wav': '.wav',
  'model/gltf-binary': '.glb',
  'text/plain': '.txt',
  'text/vtt': '.vtt',
};

/** The type of content that shows none: the sender's, unless the content would show it. */
export function declaredTypeOf(declared: string | undefined): string {
  const isPossible = declared !== undefined && Object.hasOwn(DECLARED, declared);
  return isPossible ? declared : 'application/octet-stream';
}

/** With its dot. */
export function extensionOf(mediaType: string): string {
  return FOUND[mediaType] ?? DECLARED[mediaType] ?? '.bin';
}
