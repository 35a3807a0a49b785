/**
 * Characters that JSON allows and a terminal obeys: C1 and DEL controls, bidirectional and zero-width characters, line
 * separators.
 */
const LOUD = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu;

/**
 * JSON text that may be shown: equal to the output of JSON.stringify, with every invisible character written as an
 * escape.
 */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(LOUD, escaped);
}

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
