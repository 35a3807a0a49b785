/** JSON allows them and a terminal obeys them: C1 and DEL controls, bidirectional and zero-width ones, separators. */
const LOUD = /[\u007f-\u009f\u2028\u2029\p{Cf}]/gu;

/** From this length on a piece is handed on. */
const PIECE = 65_536;

/** The JSON of an object as a line, in pieces: the plan of a million posts has 100 MB of it, which nobody has to hold. */
export function* jsonLine(value: object): Iterable<string> {
  let text = '';
  for (const part of Array.isArray(value) ? [jsonText(value)] : memberTexts(value)) {
    text += part;
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  yield `${text}\n`;
}

/** Members that can be walked become lists, of which one member is held at a time. */
function* memberTexts(value: object): Iterable<string> {
  let before = '{';
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${before}${jsonText(key)}:`;
    before = ',';
    if (isWalked(member)) yield* listTexts(member);
    else yield jsonText(member);
  }
  yield before === '{' ? '{}' : '}';
}

function isWalked(member: unknown): member is Iterable<unknown> {
  return typeof member === 'object' && member !== null && Symbol.iterator in member;
}

function* listTexts(list: Iterable<unknown>): Iterable<string> {
  let before = '[';
  for (const member of list) {
    yield `${before}${jsonText(member ?? null)}`;
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** JSON text that may be shown: every invisible character is written as an escape. */
export function jsonText(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(LOUD, escaped);
}

/** The same JSON for readers without Unicode. */
export function asciiJson(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, escaped);
}

function escaped(text: string): string {
  const units = text.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'));
  return units.map((unit) => `\\u${unit}`).join('');
}
