/** User info, and everything from the query or the fragment on. */
const USER_INFO = /^(https?:(?:\\*\/){2})[^/?#]*@/i;
const QUERY = /[?#][^]*$/;

/** A URL without user info, query and fragment; one that has none of these stays as it is, letter by letter. */
export function plainUrl(url: string): string {
  return url.replace(QUERY, '').replace(USER_INFO, '$1');
}

/** Whether a URL has nothing that `plainUrl` would take away: it opens nothing that its path alone does not. */
export function isPlainUrl(url: string): boolean {
  return plainUrl(url) === url;
}

/** Within texts, JSON and JSON inside JSON. A quote may stand in a query, and ends everything else. */
const IN_TEXT = /https?:(?:\\*\/){2}[^\s"'`<>?#]*(?:[?#][^\s"<>]*)?/gi;

/** A text in which every http(s) URL is without user info, query and fragment. */
export function plainUrls(text: string): string {
  return text.replace(IN_TEXT, (run, offset: number) => {
    // Backslashes before a quote are part of how it is written.
    let end = run.length;
    if (text[offset + run.length] === '"') while (run[end - 1] === '\\') end -= 1;
    return plainUrl(run.slice(0, end)) + run.slice(end);
  });
}
