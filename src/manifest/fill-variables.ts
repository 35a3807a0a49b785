import type { SourceRef } from '../model/source.ts';
import { didYouMean } from './did-you-mean.ts';
import { EXPRESSION_HELP, type Expression, fillIn, findExpressions, hasExpression } from './expressions.ts';
import { mapStrings } from './map-strings.ts';
import type { Problems } from './problems.ts';
import { unknownVariable, type Variables } from './variables.ts';

/** Where the texts of variables stand: they are read before anything can be filled in. */
const NOT_FILLED = /^#(?:\/service\/environments\/[^/]+)?\/variables\//;

/** Names of matrix keys by post; a post without matrix has none, one whose matrix is broken any. */
export type MatrixKeys = ReadonlyMap<string, readonly string[] | 'any'>;

export interface Filled<T> {
  readonly value: T;
  readonly usedVariables: ReadonlySet<string>;
  /** `<post>/<matrix key>` */
  readonly usedMatrixKeys: ReadonlySet<string>;
}

/**
 * Fills `${{ vars.x }}` into every text below a value, and checks every other expression; those over `matrix` stay
 * for the expansion, which can rely on them.
 */
export function fillVariables<T>(
  value: T,
  scope: { source: SourceRef; variables: Variables; matrixKeys: MatrixKeys; problems: Problems },
): Filled<T> {
  const { variables, matrixKeys, problems } = scope;
  const usedVariables = new Set<string>();
  const usedMatrixKeys = new Set<string>();
  const filled = mapStrings(value, scope.source, (text, source) => {
    if (!hasExpression(text) || NOT_FILLED.test(source)) return text;
    for (const expression of findExpressions(text)) {
      const post = postOf(source);
      const problem = check(expression, {
        variables,
        matrixKeys: post === undefined ? undefined : matrixKeys.get(post),
      });
      if (problem) problems.add({ ...problem, source, fragment: expression.text });
      else if (expression.context === 'vars') usedVariables.add(expression.name ?? '');
      else usedMatrixKeys.add(`${post ?? ''}/${expression.name ?? ''}`);
    }
    return fillIn(text, ({ context, name = '' }) =>
      context === 'vars' ? variables.values.get(name) : undefined,
    );
  });
  return { value: filled, usedVariables, usedMatrixKeys };
}

/** The post whose matrix a text may use: its own; the matrix itself cannot use it. */
function postOf(source: SourceRef): string | undefined {
  return /^#\/posts\/([^/]+)\/(?!matrix\/)/.exec(source)?.[1];
}

function check(
  { context, name, text }: Expression,
  scope: { variables: Variables; matrixKeys: readonly string[] | 'any' | undefined },
) {
  if (context === undefined || name === undefined) {
    return { code: 'invalid-expression', detail: `${text} is not understood. ${EXPRESSION_HELP}` } as const;
  }
  const { values, declared, complete } = scope.variables;
  switch (context) {
    case 'vars':
      if (values.has(name) || !complete) return undefined;
      return {
        code: 'unknown-variable',
        detail: unknownVariable(name, new Set([...values.keys(), ...declared])),
      } as const;
    case 'matrix':
      return checkMatrixName(name, scope.matrixKeys);
    case 'run':
      return {
        code: 'not-supported-yet',
        detail: `This release has no \`${context}.${name}\`. Take it out.`,
      } as const;
    default: {
      const detail = `There is no "${context}" to read from.${didYouMean(context, ['vars', 'matrix'])} ${EXPRESSION_HELP}`;
      return { code: 'invalid-expression', detail } as const;
    }
  }
}

function checkMatrixName(name: string, keys: readonly string[] | 'any' | undefined) {
  if (!keys) {
    const detail =
      '`matrix` can be read in the concept and the items of a post that has a matrix, and nowhere else.';
    return { code: 'invalid-expression', detail } as const;
  }
  if (keys === 'any' || keys.includes(name)) return undefined;
  const detail = `The matrix of this post has no key "${name}".${didYouMean(name, keys)}`;
  return { code: 'unknown-matrix-key', detail } as const;
}
