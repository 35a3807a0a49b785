import type { SchemaError } from './generated/validate.js';

/** Stand-ins for the only keys that a document cannot do without. */
const ROOT_STAND_INS: Readonly<Record<string, unknown>> = { version: 1, name: 'unnamed' };

/**
 * Takes what a schema error refused out of the document, and with it whatever cannot be without it. An item becomes
 * an empty one, so that the numbers of the others stay. Returns the JSON Pointers of what went.
 */
export function prune(root: object, error: SchemaError): string[] {
  const { keyword, instancePath, params } = error;
  if (keyword === 'required') {
    const missing = String(params['missingProperty']);
    if (instancePath !== '') return remove(root, instancePath);
    Reflect.set(root, missing, ROOT_STAND_INS[missing]);
    return [`/${missing}`];
  }
  const member = params['additionalProperty'] ?? params['propertyName'];
  return remove(root, typeof member === 'string' ? `${instancePath}/${escaped(member)}` : instancePath);
}

function remove(root: object, pointer: string): string[] {
  const cut = pointer.lastIndexOf('/');
  const parentPointer = pointer.slice(0, cut);
  const last = unescaped(pointer.slice(cut + 1));
  const parent = valueAt(root, parentPointer);
  if (!Array.isArray(parent)) {
    if (typeof parent === 'object' && parent !== null) Reflect.deleteProperty(parent, last);
    return [pointer];
  }
  if (!parentPointer.endsWith('/items')) return [pointer, ...remove(root, parentPointer)];
  parent[Number(last)] = {};
  return [pointer];
}

function valueAt(root: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>(
      (value, step) =>
        typeof value === 'object' && value !== null ? Reflect.get(value, unescaped(step)) : undefined,
      root,
    );
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}
