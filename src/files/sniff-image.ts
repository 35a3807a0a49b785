/** How many of the first bytes of a file `sniffImage` wants to see. */
export const SNIFFED_BYTES = 64;

const ASCII = new TextDecoder('latin1');

/** The content type that the first bytes of a file tell, whatever its name says; undefined for no known image. */
export function sniffImage(head: Uint8Array): string | undefined {
  const text = ASCII.decode(head.subarray(0, SNIFFED_BYTES));
  if (text.startsWith('\u00ff\u00d8\u00ff')) return 'image/jpeg';
  if (text.startsWith('\u0089PNG\r\n\u001a\n')) return 'image/png';
  if (text.startsWith('GIF87a') || text.startsWith('GIF89a')) return 'image/gif';
  if (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') return 'image/webp';
  if (text.startsWith('II*\0') || text.startsWith('MM\0*')) return 'image/tiff';
  return text.slice(4, 8) === 'ftyp' ? sniffHeif(text) : undefined;
}

/** AVIF and HEIC share a container; its brands, four letters each, say which one it is. */
function sniffHeif(text: string): string | undefined {
  const length = Math.min(text.charCodeAt(2) * 256 + text.charCodeAt(3), text.length);
  const brands = [text.slice(8, 12)];
  for (let at = 16; at + 4 <= length; at += 4) brands.push(text.slice(at, at + 4));
  if (brands.some((brand) => brand === 'avif' || brand === 'avis')) return 'image/avif';
  return brands.some((brand) => /^(?:hei[cxms]|hev[cx]|mif1|msf1)$/.test(brand)) ? 'image/heic' : undefined;
}
