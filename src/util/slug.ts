import { createHash } from 'node:crypto';

const LONGEST = 40;

/** The part of an address that a name becomes. */
export type Slug = (name: string) => string;

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Emoji, symbols, and marks that change how the character before them looks; those of ASCII become dashes. */
const SYMBOLS = /(?![\0-\x7f])[\p{S}\p{Cf}\p{Me}\p{Variation_Selector}\p{Extended_Pictographic}]/gu;

/** Slugs for these names. The tables of all scripts are half a megabyte, so they are loaded only where a name needs them. */
export async function createSlug(names: Iterable<string>): Promise<Slug> {
  let toAscii = (text: string) => text;
  for (const name of names) {
    if (!BEYOND_ASCII.test(name)) continue;
    toAscii = (await import('any-ascii')).default;
    break;
  }
  return (name) => {
    const composed = name.normalize('NFC');
    const full = replaced(toAscii(composed.replace(SYMBOLS, ''))).replace(/^-+|-+$/g, '');
    return full === '' ? `x-${hashOf(composed)}` : shortened(full, composed);
  };
}

/** The slug of a key, which is ASCII and needs no table. */
export function slugOfKey(key: string): string {
  return shortened(replaced(key).replace(/^-+|-+$/g, ''), key);
}

/** A slug that another name has as well, made different by a piece of the hash of this name. */
export function hashedSlug(slug: string, name: string): string {
  return `${slug.slice(0, LONGEST - 7)}-${hashOf(name.normalize('NFC'))}`;
}

function replaced(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(':', 'x')
    .replace(/[^a-z0-9._-]+/g, '-');
}

function shortened(full: string, composed: string): string {
  return full.length <= LONGEST ? full : hashedSlug(full, composed);
}

/** The first six digits of the SHA-256. */
function hashOf(composed: string): string {
  return createHash('sha256').update(composed).digest('hex').slice(0, 6);
}
