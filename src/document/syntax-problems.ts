import { type Document, visit, type YAMLError } from 'yaml';
import { TOO_DEEP } from './nesting.ts';
import type { Why } from './problems.ts';

export interface SyntaxProblem extends Why {
  readonly range: readonly [start: number, end: number];
  /** How much of the text cannot be read because of it: nothing, the section of one top-level key, or everything. */
  readonly spoils: 'nothing' | 'section' | 'all';
}

interface Context {
  readonly text: string;
  readonly document: Document;
}

type Words = Pick<SyntaxProblem, 'detail' | 'spoils'> & {
  readonly at?: readonly [start: number, end: number];
  readonly code?: SyntaxProblem['code'];
};

export function describeSyntaxError(error: YAMLError, context: Context): SyntaxProblem {
  const { at, code = 'yaml-syntax', ...words } = wordsFor(error, context);
  return { code, range: at ?? error.pos, ...words };
}

function wordsFor(error: YAMLError, context: Context): Words {
  const [start] = error.pos;
  const { text } = context;
  if (/\$\{?$/.test(text.slice(Math.max(0, start - 2), start)) && text[start] === '{')
    return unquotedExpression(start, text);
  const words = WORDS[error.code];
  return typeof words === 'function' ? words(error, context) : words;
}

const WRONG_INDENT = {
  detail:
    'This line is indented differently from the lines it belongs to. Give it as many spaces as the other entries of its list or map.',
  spoils: 'section',
} as const;

const surplus = ({ message }: YAMLError): Words => ({
  detail: `${message}. Remove the surplus, or put the text in quotes.`,
  spoils: 'nothing',
});

const asTheReaderSays = ({ message }: YAMLError): Words => ({
  detail: `The YAML reader says: ${message}.`,
  spoils: 'all',
});

type WordsOrMaker = Words | ((error: YAMLError, context: Context) => Words);

const WORDS: Readonly<Record<YAMLError['code'], WordsOrMaker>> = {
  TAB_AS_INDENT: {
    detail:
      'This line is indented with a tab, and YAML allows only spaces there. Replace it with spaces; most editors can insert spaces for the Tab key.',
    spoils: 'section',
  },
  MULTIPLE_DOCS: ({ pos: [start] }) => ({
    detail:
      'The line `---` starts a second document, and a manifest is a single one. Remove the line, or move what follows to a file of its own.',
    spoils: 'all',
    at: [start, start + 3],
  }),
  BAD_DQ_ESCAPE({ pos: [start] }, { text }) {
    const written = text.slice(start, start + 2);
    const detail = `In double quotes a backslash starts a special character, and \`${written}\` is not one. Write \`\\${written}\`, or use single quotes.`;
    return { detail, spoils: 'nothing', at: [start, start + 2] };
  },
  BAD_SCALAR_START: ({ pos: [start] }, { text }) => ({
    detail: `A text that begins with \`${text.charAt(start)}\` needs quotes around it.`,
    spoils: 'nothing',
  }),
  TAG_RESOLVE_FAILED: ({ pos }, { text }) => ({
    detail: `In YAML \`!\` starts a tag, and a manifest has no tags. If \`${text.slice(...pos)}\` belongs to the text, put the text in quotes.`,
    spoils: 'nothing',
  }),
  BAD_DIRECTIVE: {
    detail:
      'A line that begins with `%` is an instruction to YAML readers, and this one is unknown. Remove it.',
    spoils: 'nothing',
  },
  MULTIPLE_ANCHORS: surplus,
  MULTIPLE_TAGS: surplus,
  ALIAS_PROPS: surplus,
  BAD_ALIAS: surplus,
  BAD_INDENT: ({ message, pos: [start] }, context) =>
    message.startsWith('Flow') ? unclosedBracket(start, context) : indented(start, context.text),
  BLOCK_IN_FLOW: {
    detail:
      'A comma is missing between two entries here. Inside brackets and braces, commas separate the entries.',
    spoils: 'section',
  },
  MULTILINE_IMPLICIT_KEY: ({ pos }, { text }) => lineWithoutColon(pos, text),
  BLOCK_AS_IMPLICIT_KEY: ({ message, pos: [start] }, { text }) =>
    message.startsWith('Nested') ? secondColon(start, text) : indented(start, text),
  MISSING_CHAR: missingCharacter,
  UNEXPECTED_TOKEN: unexpected,
  RESOURCE_EXHAUSTION: { detail: TOO_DEEP, spoils: 'all', code: 'too-deep' },
  BAD_COLLECTION_TYPE: asTheReaderSays,
  BAD_PROP_ORDER: asTheReaderSays,
  DUPLICATE_KEY: asTheReaderSays,
  IMPOSSIBLE: asTheReaderSays,
  KEY_OVER_1024_CHARS: asTheReaderSays,
  NON_STRING_KEY: asTheReaderSays,
};

function unquotedExpression(start: number, text: string): Words {
  const begin = text.lastIndexOf('$', start);
  const written = /^.*?\}\}/.exec(text.slice(begin))?.[0];
  const detail = `Inside brackets and braces an expression needs quotes, or its own braces begin a map: "${written ?? '${{ … }}'}".`;
  return { detail, spoils: 'section', at: [begin, written ? begin + written.length : start + 1] };
}

function unclosedBracket(found: number, { document, text }: Context): Words {
  let at = found;
  visit(document, {
    Collection(_, node) {
      const [start = 0, end = 0] = node.range ?? [];
      if (node.flow && start <= found && end <= found + 1 && !/[\]}]/.test(text.charAt(end - 1))) at = start;
    },
  });
  const [kind, close] = text[at] === '[' ? ['list', ']'] : ['map', '}'];
  const detail = `This ${kind} begins with \`${text.charAt(at)}\` and is never closed. Write \`${close}\` where it ends.`;
  return { detail, spoils: 'section', at: [at, at + 1] };
}

function missingCharacter({ message, pos: [start, end] }: YAMLError, { document, text }: Context): Words {
  const quote = /closing (["'])/.exec(message)?.[1];
  if (quote !== undefined) {
    const detail = `This text begins with \`${quote}\` and is never closed. Write \`${quote}\` where it ends.`;
    const at = openQuote(quote, { document, text }) ?? start;
    return { detail, spoils: 'all', at: [at, at + 1] };
  }
  if (message.startsWith('Missing ,')) {
    const detail =
      'A comma is missing before this entry. Inside brackets and braces, commas separate the entries.';
    return { detail, spoils: 'section' };
  }
  return lineWithoutColon([start, end], text);
}

/** Where the quoted text begins that does not end before the end of the file. */
function openQuote(quote: string, { document, text }: Context): number | undefined {
  let at: number | undefined;
  visit(document, {
    Scalar(_, { range, type }) {
      const [start = 0, end = 0] = range ?? [];
      const isQuoted = type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE';
      const isClosed = end > start + 1 && text[end - 1] === quote;
      if (isQuoted && text[start] === quote && !isClosed) at = start;
    },
  });
  return at;
}

/** A line that should be a key with its value, or an indented line that continues the value above. */
function lineWithoutColon([start, end]: readonly [number, number], text: string): Words {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const isValue = /:\s/.test(text.slice(lineStart, start));
  if (isValue && text.slice(start, end).includes('\n')) return indented(text.indexOf('\n', start), text);
  const line = restOfLine(start, text).trimEnd();
  const [, name, value] = /^([\w.-]+):(\S.*)$/.exec(line) ?? [];
  const detail =
    name === undefined
      ? `A key needs a colon after it, and this line has none. Write \`${line}:\`, or indent the line if it continues the text above.`
      : `A space is missing after the colon. Write \`${name}: ${value ?? ''}\`.`;
  return { detail, spoils: 'section', at: [start, start + line.length] };
}

function indented(from: number, text: string): Words {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
  return { ...WRONG_INDENT, at: [start, start + restOfLine(start, text).length] };
}

function restOfLine(start: number, text: string): string {
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? text.length : end);
}

/** `description: Neon: wet asphalt` */
function secondColon(start: number, text: string): Words {
  const value = restOfLine(start, text).trimEnd();
  if (!/:(?:\s|$)/.test(value)) return indented(text.indexOf('\n', start), text);
  const quoted = value.includes('"') ? `'${value.replaceAll("'", "''")}'` : `"${value}"`;
  const detail = `A text with a colon and a space in it needs quotes, or it looks like another key: ${quoted}.`;
  return { detail, spoils: 'section', at: [start, start + value.length] };
}

function unexpected({ message, pos: [start] }: YAMLError, { text }: Context): Words {
  const character = text.charAt(start);
  if (/flow-(?:seq|map)-end/.test(message)) {
    const detail = `\`${character}\` closes a bracket, but none is open here. Remove it.`;
    return { detail, spoils: 'all' };
  }
  if (message.startsWith('Unexpected , in'))
    return { detail: 'There is no entry before this comma. Remove it.', spoils: 'nothing' };
  if (message.startsWith('Unexpected block-seq-ind')) {
    const detail =
      'A list with `- ` begins on the line below its key. Move it there and indent it, or write it in brackets.';
    return { detail, spoils: 'section' };
  }
  if (message.startsWith('Block scalar header') || /[|>][-+0-9]*\s*$/.test(text.slice(0, start).slice(-9))) {
    const detail = 'The text after `|` or `>` begins on the next line. Move it there and indent it.';
    return { detail, spoils: 'nothing' };
  }
  if (message.endsWith('at node end')) {
    const detail =
      'The value ends before this, at its closing quote or bracket. If another entry begins here, a comma is missing; otherwise put quotes around the whole text.';
    return { detail, spoils: 'section' };
  }
  return {
    detail: `\`${character}\` cannot stand here. Remove it, or put the text in quotes.`,
    spoils: 'all',
  };
}
