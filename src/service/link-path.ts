interface LinkPath {
  readonly url: string;
  /** It begins with a slash. */
  readonly isRooted: boolean;
  /** It ends as the name of a picture or video does. */
  readonly isFile: boolean;
}

/** Neither a space nor what no URL has. A backslash would be read as a slash. */
const PATH = /^[^\s"'<>\\^`{|}]+$/;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const FILE = /\.(?:avif|gif|hei[cf]|jfif|jpe?g|m4v|mov|mp4|pdf|png|svg|tiff?|webm|webp|zip)$/i;

/**
 * A path that a service answers in the place of a URL, seen from the request that it answers (RFC 3986). Undefined where
 * the text can be no path, or nothing says what was asked.
 */
export function linkPath(text: string, askedAt: string | undefined): LinkPath | undefined {
  if (askedAt === undefined || !PATH.test(text) || SCHEME.test(text) || !URL.canParse(text, askedAt))
    return undefined;
  const url = new URL(text, askedAt);
  if (url.pathname === '/') return undefined;
  return { url: url.href, isRooted: text.startsWith('/'), isFile: FILE.test(url.pathname) };
}
