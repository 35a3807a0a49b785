/** Code of an upload that ended because its file was replaced after it was opened. */
export const FILE_CHANGED = 'ERR_FILE_CHANGED';

/** The code of a system or library error, and nothing else of the error. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
}
