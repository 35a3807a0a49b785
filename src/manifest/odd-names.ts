import { isUtf8 } from 'node:buffer';
import { readdirSync } from 'node:fs';

/** What a byte that is no UTF-8 is read as. */
const REPLACEMENT = '\uFFFD';

/**
 * The name in a folder that is no UTF-8 and was read as `name`, with its invalid bytes as `\xE9`; undefined for any
 * other name. The file cannot be opened under the name that was read, so without this it would be ignored without a
 * message.
 */
export function oddName(folder: string, name: string): string | undefined {
  if (!name.includes(REPLACEMENT)) return undefined;
  const odd = namesIn(folder).find((bytes) => bytes.toString() === name && !isUtf8(bytes));
  return odd && [...odd].map(shownByte).join('');
}

export function oddNameText(shown: string): string {
  return `The name "${shown}" is not UTF-8, so it cannot be written into a manifest, nor the file be found by it. Rename it (\`convmv\` changes many names at once), or move it elsewhere.`;
}

function shownByte(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

function namesIn(folder: string): Buffer[] {
  try {
    return readdirSync(folder, { encoding: 'buffer' });
  } catch {
    return [];
  }
}
