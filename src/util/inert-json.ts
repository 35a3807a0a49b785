/** JSON allows them and a terminal obeys them: C1 and DEL controls, bidirectional and zero-width ones, separators. */
const LOUD = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu;

/** JSON text that may be shown: every invisible character is written as an escape. */
export function jsonText(value: unknown, indent?: number): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(value, null, indent).replace(LOUD, (found) => found.split('').map(escaped).join(''));
}
