export function hasWildcard(text: string): boolean {
  return /[*?]/.test(text);
}

/**
 * Whether a whole text matches a glob: `*` stands for anything, `/` included, `?` for one character. After a mismatch only the
 * last `*` takes one character more, so that the time is bounded by the product of both lengths, whatever somebody types.
 */
export function matchesGlob(glob: string, text: string): boolean {
  let [at, next] = [0, 0];
  let star: { readonly next: number; readonly at: number } | undefined;
  while (at < text.length) {
    if (glob[next] === '*') {
      next += 1;
      star = { next, at };
    } else if (next < glob.length && (glob[next] === '?' || glob[next] === text[at])) {
      next += 1;
      at += 1;
    } else if (star) {
      star = { next: star.next, at: star.at + 1 };
      ({ next, at } = star);
    } else return false;
  }
  return /^\**$/.test(glob.slice(next));
}
