export function hasWildcard(text: string): boolean {
  return /[*?]/.test(text);
}

/** Whether a whole text matches a glob: `*` stands for anything, `/` included, `?` for one character. */
export function matchesGlob(glob: string, text: string): boolean {
  const pattern = glob
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replace(/\*+/g, '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${pattern}$`, 's').test(text);
}
