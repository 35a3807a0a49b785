/** A `${{ … }}` in a text; `name` is missing where what stands between the braces is not of the language. */
export interface Expression {
  /** As written, braces included. */
  readonly text: string;
  readonly context?: string;
  readonly name?: string;
}

// Ends before the next opening, so that a text of nothing but openings is read once and not once per opening.
const EXPRESSION = /\$\{\{((?:(?!\$\{\{)[^])*?)\}\}/g;

// As shells and template languages write it: nothing would fill it in, and the posts that are made of it would be paid.
const OTHERWISE = /\$\{\s*(?:vars|matrix)\.[^{}]*\}|\{\{\s*(?:vars|matrix)\.[^{}]*\}\}/g;

/** What an expression may say, for messages. */
export const EXPRESSION_HELP =
  'There is ${{ vars.NAME }} and, in a post with a matrix, ${{ matrix.NAME }}; nothing is calculated.';

export function hasExpression(text: string): boolean {
  return text.includes('${{');
}

/** All expressions of a text in order; an opening without its end is one that is not understood. */
export function findExpressions(text: string): Expression[] {
  const found = [...text.matchAll(EXPRESSION)].map(([whole, inner = '']) => parse(whole, inner));
  const rest = text.replace(EXPRESSION, '');
  if (hasExpression(rest)) found.push({ text: rest.slice(rest.indexOf('${{')) });
  return found;
}

/** What is meant as an expression, and is written in other braces. */
export function findMiswritten(text: string): Expression[] {
  return [...text.replace(EXPRESSION, '').matchAll(OTHERWISE)].map(([whole]) => ({ text: whole }));
}

/** The only expression of a text that consists of nothing else. */
export function wholeExpression(text: string): Expression | undefined {
  const [first, ...others] = findExpressions(text);
  return first?.text === text && others.length === 0 ? first : undefined;
}

/** Replaces every expression that `lookup` knows, and leaves the others as they are. */
export function fillIn(text: string, lookup: (expression: Expression) => string | undefined): string {
  return text.replace(EXPRESSION, (whole, inner: string) => lookup(parse(whole, inner)) ?? whole);
}

function parse(text: string, inner: string): Expression {
  const [, context, name] = /^([A-Za-z]+)\.([A-Za-z][A-Za-z0-9_-]*)$/.exec(inner.trim()) ?? [];
  return context === undefined || name === undefined ? { text } : { text, context, name };
}
