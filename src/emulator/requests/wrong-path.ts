import { PATH_PREFIX } from '../files/record.ts';
import { ROUTES } from '../fault-rules/routes.ts';

/** A request that fits no endpoint. */
export interface StrayRequest {
  readonly method: string;
  /** As it was sent, without a query. */
  readonly path: string;
  /** What may be wrong with it. */
  readonly hint: string;
}

/** What may be wrong with a request that no route takes. */
export function strayRequest(method: string, url: string): StrayRequest {
  const path = url.split('?', 1)[0] ?? '';
  return { method, path, hint: hintFor(method, path) };
}

function hintFor(method: string, path: string): string {
  if (!isEncoded(path)) return 'A percent sign stands for nothing in it.';
  if (path.startsWith('/_control'))
    return 'Control routes are there with --control; docs/emulator.md lists them.';
  if (path.includes('//'))
    return 'The path has two slashes in a row: does the base URL end with one too many?';
  if (!path.startsWith(`${PATH_PREFIX}/`))
    return `Every path begins with ${PATH_PREFIX}/: does the base URL lack it?`;
  const methods = methodsOf(path.slice(PATH_PREFIX.length));
  if (methods.includes(method)) return 'An id in it is too long.';
  if (methods.length > 0) return `This path takes ${methods.join(', ')}.`;
  return 'The service has no such path.';
}

/** The methods of an endpoint, with or without the final slash. */
function methodsOf(path: string): string[] {
  return ROUTES.map((route) => route.split(' '))
    .filter(([, pattern = '']) => matches(path, pattern))
    .map(([method = '']) => method);
}

function matches(path: string, pattern: string): boolean {
  const parts = (text: string) => text.replace(/\/$/, '').split('/');
  const [given, asked] = [parts(path), parts(pattern)];
  return given.length === asked.length && asked.every((part, at) => part === '{id}' || part === given[at]);
}

function isEncoded(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
