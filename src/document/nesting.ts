import { Lexer } from 'yaml';

/** No manifest nests deeper. Much deeper texts exhaust the stack of a parser, which can crash the process. */
export const DEEPEST = 64;

/** Outside of brackets nothing is nested deeper than its column. */
const FURTHEST_COLUMN = 4 * DEEPEST;

export const TOO_DEEP = `Lists or maps are nested more than ${DEEPEST} deep here, which no manifest needs. Remove the brackets or the spaces that are too many.`;

/** Tokens of the lexer that are not in the text: begin of a document, end of a broken bracket, begin of a scalar. */
const DOCUMENT = '\u0002';
const FLOW_END = '\u0018';
const SCALAR = '\u001F';

const INDICATOR = /^[-?:]$/;

/** Where a text becomes too deep to be parsed. It is found token by token, which needs no stack. */
export function firstTooDeep(text: string): [start: number, end: number] | undefined {
  let offset = 0;
  let lineStart = 0;
  let isLeading = true;
  // The manifest itself is a map.
  let depth = 1;
  let isScalar = false;
  for (const token of new Lexer().lex(text)) {
    if (token === DOCUMENT || token === FLOW_END) continue;
    if (token === SCALAR) {
      isScalar = true;
      continue;
    }
    if (!isScalar && (token === '[' || token === '{')) depth += 1;
    if (!isScalar && (token === ']' || token === '}')) depth -= 1;
    const isText = token.trim() !== '' && !token.startsWith('#');
    const isFar = isText && isLeading && depth === 1 && offset - lineStart > FURTHEST_COLUMN;
    if (depth > DEEPEST || isFar) return [offset, offset + 1];
    offset += token.length;
    const lineBreak = token.lastIndexOf('\n');
    if (lineBreak >= 0) lineStart = offset - token.length + lineBreak + 1;
    isLeading = lineBreak >= 0 || (isLeading && (!isText || (!isScalar && INDICATOR.test(token))));
    isScalar = false;
  }
  return undefined;
}
