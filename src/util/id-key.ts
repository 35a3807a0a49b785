const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** An id in one spelling, to compare it: the letters of a UUID may be upper or lower case. */
export function idKey(id: string): string {
  return UUID.test(id) ? id.toLowerCase() : id;
}
