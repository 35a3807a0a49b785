/** Code of an upload that ended because its file is no longer the one that was opened. */
export const FILE_CHANGED = 'ERR_FILE_CHANGED';

/** The code of a system or library error, nothing else of it. */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.cause instanceof DOMException && error.cause.name === 'NotReadableError') return FILE_CHANGED;
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : undefined;
}
