/** The part `file` of a multipart body. */
export function readFilePart(
  contentType: string,
  raw: Buffer,
): { bytes: Buffer; filename: string } | undefined {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return undefined;
  for (let at = raw.indexOf(`--${boundary}`); at >= 0; at = raw.indexOf(`--${boundary}`, at + 1)) {
    const headEnd = raw.indexOf('\r\n\r\n', at);
    const end = raw.indexOf(`\r\n--${boundary}`, headEnd);
    if (headEnd < 0 || end < 0) continue;
    const head = raw.subarray(at, headEnd).toString('utf8');
    const filename = /filename="([^"]*)"/.exec(head)?.[1];
    if (/name="file"/.test(head) && filename !== undefined)
      return { bytes: raw.subarray(headEnd + 4, end), filename };
  }
  return undefined;
}
