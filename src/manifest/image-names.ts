/** Orders names by the code points of their NFC form; names that look alike by their bytes. */
export function inOrderOfNames(a: string, b: string): number {
  return compareBytes(a.normalize('NFC'), b.normalize('NFC')) || compareBytes(a, b);
}

/** True for a name that counts as an image where a whole folder or a glob is meant; hidden files never do. */
export function isImageName(name: string): boolean {
  return !name.startsWith('.') && /\.(?:jpe?g|png|webp|gif|avif|heic|tiff?)$/i.test(name);
}

/** The order of UTF-8 bytes is the order of code points; that of UTF-16 units is not. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
