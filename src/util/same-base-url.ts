/** Whether two base URLs name one service: the case of the host, a default port and slashes at the end do not count. */
export function isSameBaseUrl(a: string, b: string): boolean {
  return normalised(a) === normalised(b);
}

/** `emulator` stands for the embedded service and is no URL. */
function normalised(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/\/+$/, '') : url;
}
