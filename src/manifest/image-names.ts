/** Orders names by the code points of their NFC form, and names with equal NFC forms by their bytes. */
export function inOrderOfNames(a: string, b: string): number {
  return compareBytes(a.normalize('NFC'), b.normalize('NFC')) || compareBytes(a, b);
}

/** True for a name that counts as an image in a folder or a glob; hidden files never do. */
export function isImageName(name: string): boolean {
  return !name.startsWith('.') && /\.(?:jpe?g|png|webp|gif|avif|heic|tiff?)$/i.test(name);
}

/** UTF-8 bytes are in the order of the code points, UTF-16 units are not. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
