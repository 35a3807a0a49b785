/** The one function that is used of a package without types of its own. */
declare module 'proxy-from-env' {
  /** The proxy that the process's environment names for a URL; empty: none. A missing scheme is that of the URL. */
  export function getProxyForUrl(url: string): string;
}
