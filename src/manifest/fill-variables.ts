import { memberOf, type SourceRef } from '../model/source.ts';
import { someOf } from '../util/did-you-mean.ts';
import {
  EXPRESSION_HELP,
  type Expression,
  fillIn,
  findExpressions,
  findMiswritten,
  mapStrings,
} from './expressions.ts';
import type { Problems } from '../document/problems.ts';
import type { Variables } from './variables.ts';

/** The values of variables: they are read before anything can be filled in. */
const NOT_FILLED = /^#(?:\/service\/environments\/[^/]+)?\/variables\//;

/** Names of matrix keys by post plan; empty without a matrix, `any` if the matrix is broken. */
export type MatrixKeys = ReadonlyMap<string, ReadonlySet<string> | 'any'>;

/** Fills in `${{ vars.x }}` and checks every other expression; those over `matrix` and `run` stay for `posts`. */
export function fillVariables<T>(
  value: T,
  scope: {
    source: SourceRef;
    variables: Variables;
    matrixKeys: MatrixKeys;
    /** Keys of the post plans with `every`. */
    repeated?: ReadonlySet<string>;
    problems: Problems;
  },
) {
  const { variables, matrixKeys, problems } = scope;
  const usedVariables = new Set<string>();
  const usedMatrixKeys = new Set<string>();
  const filled = mapStrings(value, (text, path) => {
    if (!text.includes('{')) return text;
    const source = memberOf(scope.source, ...path);
    if (NOT_FILLED.test(source)) return text;
    // A text may use the matrix of its own post plan, but the matrix itself cannot.
    const [, plan = '', matrix] = /^#\/posts\/([^/]+)\/(matrix\/)?/.exec(source) ?? [];
    const post = matrix === undefined ? plan : '';
    for (const expression of [...findExpressions(text), ...findMiswritten(text)]) {
      const keys = { matrixKeys: matrixKeys.get(post), isRepeated: scope.repeated?.has(plan) ?? false };
      const problem = check(expression, { variables, ...keys, problems });
      if (problem) problems.add({ ...problem, source, fragment: expression.text });
      else if (expression.context === 'vars') usedVariables.add(expression.name ?? '');
      else if (expression.context === 'matrix') usedMatrixKeys.add(`${post}/${expression.name ?? ''}`);
    }
    const lookup = ({ context, name = '' }: Expression) =>
      context === 'vars' ? variables.values.get(name) : undefined;
    return fillIn(text, lookup);
  });
  return { value: filled, usedVariables, usedMatrixKeys };
}

interface CheckScope {
  readonly variables: Variables;
  readonly matrixKeys: ReturnType<MatrixKeys['get']>;
  readonly isRepeated: boolean;
  readonly problems: Problems;
}

function check({ context, name, text }: Expression, scope: CheckScope) {
  if (context === undefined || name === undefined) {
    const closed = !text.startsWith('${{') || text.endsWith('}}') ? '' : ' It has no `}}` at its end.';
    const detail = `This expression is not understood.${closed} ${EXPRESSION_HELP}`;
    return { code: 'invalid-expression', detail } as const;
  }
  switch (context) {
    case 'vars':
      return checkVariable(name, scope);
    case 'matrix':
      return checkMatrixName(name, scope);
    case 'run':
      return checkRun(name, scope);
    default: {
      const hint = scope.problems.didYouMean(context, () => ['vars', 'matrix', 'run']);
      const machine = ' A plan must not depend on the machine it is made on: give the value with --var.';
      const why = context === 'env' ? machine : '';
      const detail = `There is no "${context}" to read from.${hint}${why} ${EXPRESSION_HELP}`;
      return { code: 'invalid-expression', detail } as const;
    }
  }
}

function checkVariable(name: string, { variables, problems }: CheckScope) {
  const { values, complete } = variables;
  if (values.has(name) || !complete) return undefined;
  const hint =
    problems.didYouMean(name, () => values.keys()) ||
    ` Declare it under \`variables:\`, or give it with \`--var ${name}=…\`.`;
  return { code: 'unknown-variable', detail: `There is no variable "${name}".${hint}` } as const;
}

function checkRun(name: string, { isRepeated }: CheckScope) {
  if (name !== 'period') {
    const detail = `\`run\` has no "${name}". It has: period.`;
    return { code: 'invalid-expression', detail } as const;
  }
  if (isRepeated) return undefined;
  const detail =
    '`run.period` is the period of a post plan with `every`: it can be used in that post plan, and nowhere else. Add `every: day`, `week` or `month` to the post plan, or take this out.';
  return { code: 'invalid-expression', detail } as const;
}

function checkMatrixName(name: string, { matrixKeys, problems }: CheckScope) {
  if (!matrixKeys) {
    const detail =
      '`matrix` stands for the values of the matrix of a post: it can be used in that post, in its concept and its items, and nowhere else.';
    return { code: 'invalid-expression', detail } as const;
  }
  if (matrixKeys === 'any' || matrixKeys.has(name)) return undefined;
  const hint = problems.didYouMean(name, () => matrixKeys) || ` It has: ${someOf(matrixKeys)}.`;
  const detail = `The matrix of this post has no key "${name}".${hint}`;
  return { code: 'unknown-matrix-key', detail } as const;
}
