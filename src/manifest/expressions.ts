/** A `${{ … }}` in a text; `name` is missing where the text between the braces is no expression. */
export interface Expression {
  /** As written, braces included. */
  readonly text: string;
  readonly context?: string;
  readonly name?: string;
}

// Ends before the next opening, so that a text of many openings is read once, and not once for each opening.
const EXPRESSION = /\$\{\{((?:(?!\$\{\{)[^])*?)\}\}/g;

// Forms of shells and other template languages. Nothing would be filled in, and the posts would be paid for.
const OTHERWISE = /\$\{\s*(?:vars|matrix|run)\.[^{}]*\}|\{\{\s*(?:vars|matrix|run)\.[^{}]*\}\}/g;

export const EXPRESSION_HELP =
  'There is ${{ vars.NAME }}, in a post with a matrix ${{ matrix.NAME }}, ${{ product.NAME }}, ${{ concept.NAME }} and ${{ with.NAME }}, and in a post with `every` ${{ run.period }}; nothing is calculated.';

export function hasExpression(text: string): boolean {
  return text.includes('${{');
}

/** All expressions of a text in order; an opening without an end counts as one that is not understood. */
export function findExpressions(text: string): Expression[] {
  const found = [...text.matchAll(EXPRESSION)].map(([whole, inner = '']) => parse(whole, inner));
  const rest = text.replace(EXPRESSION, '');
  if (hasExpression(rest)) found.push({ text: rest.slice(rest.indexOf('${{')) });
  return found;
}

export function findMiswritten(text: string): Expression[] {
  return [...text.replace(EXPRESSION, '').matchAll(OTHERWISE)].map(([whole]) => ({ text: whole }));
}

// The text is sent as it stands, which may be meant: `$5` and `100 %` are none.
const FOREIGN = /(?<!\$)\{\{[^{}]{1,80}\}\}|\$\{[A-Za-z_][\w.]*\}|\$[A-Za-z_]\w*|%[A-Za-z_]\w*%/g;

/** What looks like a placeholder that another tool would fill in. */
export function findForeign(text: string): string[] {
  const others = text.replace(EXPRESSION, '').replace(OTHERWISE, '');
  return [...others.matchAll(FOREIGN)].map(([whole]) => whole);
}

/**
 * Tags, comments and named characters of HTML, as shops export descriptions: common tags in any form, others where they
 * close an element or have attributes. `a < b`, `<season>` and `R&D` are none.
 */
const HTML =
  /<!--|<!\[CDATA\[|<\/[a-z][\w:-]*\s*>|<[a-z][\w:-]*\s+[\w:-]+=[^<>]*>|<\/?(?:a|b|blockquote|br|center|dd|div|dl|dt|em|font|h[1-6]|hr|i|img|li|ol|p|pre|small|span|strong|style|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?\/?>|&(?:[a-z][a-z0-9]{1,30}|#\d{1,7}|#x[0-9a-f]{1,6});/gi;

/** What a browser would not show as it stands. */
export function findHtml(text: string): string[] {
  return text.match(HTML) ?? [];
}

export function wholeExpression(text: string): Expression | undefined {
  const [first, ...others] = findExpressions(text);
  return first?.text === text && others.length === 0 ? first : undefined;
}

/** Replaces every expression that `lookup` knows, and leaves the others as they are. */
export function fillIn(text: string, lookup: (expression: Expression) => string | undefined): string {
  return text.replace(EXPRESSION, (whole, inner: string) => lookup(parse(whole, inner)) ?? whole);
}

function parse(text: string, inner: string): Expression {
  const [, context, name] = /^([A-Za-z]+)\.((?:vars\.)?[A-Za-z][A-Za-z0-9_-]*)$/.exec(inner.trim()) ?? [];
  return context === undefined || name === undefined ? { text } : { text, context, name };
}

/** Replaces the strings of a value at any depth; a part without a replaced string is not copied. */
export function mapStrings<T>(value: T, replace: (text: string, path: readonly string[]) => string): T {
  return mapped(value, [], replace) as T;
}

function mapped(value: unknown, path: string[], replace: Parameters<typeof mapStrings>[1]): unknown {
  if (typeof value === 'string') return replace(value, path);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, before]) => {
    const after = mapped(before, [...path, key], replace);
    return { key, after, isSame: after === before };
  });
  if (members.every(({ isSame }) => isSame)) return value;
  if (Array.isArray(value)) return members.map(({ after }) => after);
  return Object.fromEntries(members.map(({ key, after }) => [key, after]));
}

/** The name that a template has for an expression. */
export function pathOf({ context = '', name = '' }: Omit<Expression, 'text'>): string {
  return `${context}.${name}`;
}

/**
 * A value with its expressions compiled once, to be filled in many times with a text for each of `names`. A part comes
 * back as the same object for the same texts of the names that it uses, so that whoever works on it can remember it.
 */
export function compileTemplate<T>(value: T, names: readonly string[]): (texts: readonly string[]) => T {
  return compiled(value, names).fill as (texts: readonly string[]) => T;
}

interface Template {
  /** The places of the names that it uses. */
  readonly uses: ReadonlySet<number>;
  readonly fill: (texts: readonly string[]) => unknown;
}

function compiled(value: unknown, names: readonly string[]): Template {
  if (typeof value === 'string') return compiledText(value, names);
  if (typeof value !== 'object' || value === null) return constant(value);
  const members = Object.entries(value).map(([key, member]) => [key, compiled(member, names)] as const);
  const uses = new Set(members.flatMap(([, member]) => [...member.uses]));
  if (uses.size === 0) return constant(value);
  const fill = Array.isArray(value)
    ? (texts: readonly string[]) => members.map(([, member]) => member.fill(texts))
    : (texts: readonly string[]) =>
        Object.fromEntries(members.map(([key, member]) => [key, member.fill(texts)]));
  return { uses, fill: uses.size === names.length ? fill : remembered(fill, [...uses]) };
}

function compiledText(text: string, names: readonly string[]): Template {
  const places = findExpressions(text).flatMap((expression) => {
    const place = names.indexOf(pathOf(expression));
    return place < 0 ? [] : place;
  });
  if (places.length === 0) return constant(text);
  const uses = new Set(places);
  const fill = (texts: readonly string[]) =>
    fillIn(text, (expression) => texts[names.indexOf(pathOf(expression))]);
  return { uses, fill: remembered(fill, [...uses]) };
}

function constant(value: unknown): Template {
  return { uses: new Set(), fill: () => value };
}

/** A million posts of 1,000 products, 5 concepts and 10 batches have 200,000 different items. */
function remembered(fill: Template['fill'], uses: readonly number[]): Template['fill'] {
  const made = new Map<string, unknown>();
  return (texts) => {
    const key = uses.map((place) => texts[place]).join('\0');
    if (!made.has(key)) made.set(key, fill(texts));
    return made.get(key);
  };
}
