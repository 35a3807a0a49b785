import { createHash } from 'node:crypto';

const LONGEST = 40;

/** The part of an address that a name becomes; what is longer than 40 characters ends in a piece of its SHA-256. */
export function slug(name: string): string {
  const composed = name.normalize('NFC');
  const full = composed
    .toLowerCase()
    .replaceAll(':', 'x')
    .replace(/[^a-z0-9._-]+/g, '-');
  if (full.length <= LONGEST) return full;
  const hash = createHash('sha256').update(composed).digest('hex').slice(0, 6);
  return `${full.slice(0, LONGEST - 7)}-${hash}`;
}
