import { Lexer } from 'yaml';
import { DEEPEST } from './check-nodes.ts';

/** Where the brackets of a text get too deep for a manifest: found token by token, as parsing needs a stack. */
export function firstTooDeep(text: string): [start: number, end: number] | undefined {
  let offset = 0;
  let depth = 0;
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth += 1;
    if (token === ']' || token === '}') depth -= 1;
    if (depth > DEEPEST) return [offset, offset + 1];
    // Marks of the lexer that are not of the text: begin of a document, end of flow, begin of a scalar.
    if (!MARKS.has(token)) offset += token.length;
  }
  return undefined;
}

const MARKS = new Set(['\u0002', '\u0018', '\u001f']);
