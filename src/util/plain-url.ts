const USER_INFO = /^(https?:(?:\\*\/){2})[^/?#]*@/i;
const QUERY = /[?#][^]*$/;

/** A URL without user info, query and fragment; a URL that has none of these stays as it is, letter by letter. */
export function plainUrl(url: string): string {
  return url.replace(QUERY, '').replace(USER_INFO, '$1');
}

/** Such a URL opens nothing that its path alone does not open. */
export function isPlainUrl(url: string): boolean {
  return plainUrl(url) === url;
}

/** URLs in texts, in JSON and in JSON inside JSON. A quote may be part of a query; everywhere else it ends the URL. */
const IN_TEXT = /https?:(?:\\*\/){2}[^\s"'`<>?#]*(?:[?#][^\s"<>]*)?/gi;

export function plainUrls(text: string): string {
  return text.replace(IN_TEXT, (run, offset: number) => {
    // Backslashes before a quote belong to the quote's escape.
    let end = run.length;
    if (text[offset + run.length] === '"') while (run[end - 1] === '\\') end -= 1;
    return plainUrl(run.slice(0, end)) + run.slice(end);
  });
}
