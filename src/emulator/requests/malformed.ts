import type { Json } from '../../util/json.ts';

/**
 * A request that cannot be read. It is thrown where the framework takes no value, and answered in the envelope of
 * failure.
 */
export function malformed(problem: string, statusCode: 400 | 413 = 400): Error {
  return Object.assign(new Error(problem), { statusCode });
}

/**
 * What the parser of multipart bodies throws. Its own errors describe the body and have no status; errors of the disk
 * and mistakes in this program are not changed.
 */
export function asMalformed(error: unknown): unknown {
  const isOfParser =
    error instanceof Error && error.name === 'Error' && !('statusCode' in error) && !('syscall' in error);
  return isOfParser ? malformed(`body: ${error.message}`) : error;
}

/** Far more than the interface needs. Deeper bodies are meant to make a program fail that walks them. */
export const DEEPEST = 64;

export function isTooDeep(json: Json | undefined, levels = DEEPEST): boolean {
  if (typeof json !== 'object' || json === null) return false;
  return levels === 0 || Object.values(json).some((value: Json | undefined) => isTooDeep(value, levels - 1));
}
