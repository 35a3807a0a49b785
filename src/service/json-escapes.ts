/**
 * Replaces all escapes in JSON text that are not needed: `\u0041` becomes `A`, `\/` becomes `/`. Quotes, backslashes
 * and control characters stay escaped, so that the meaning is the same. The text may be cut, nested or no JSON at all.
 */
export function withoutEscapes(json: string): string {
  return json.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (escape: string, hex?: string, sign?: string) => {
    if (sign !== undefined) return sign === '/' ? '/' : escape;
    const character = String.fromCharCode(Number.parseInt(hex ?? '', 16));
    if (character === '"' || character === '\\') return `\\${character}`;
    return character < ' ' ? escape : character;
  });
}
