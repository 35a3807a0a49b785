import { memberOf, type SourceRef } from '../model/source.ts';
import { someOf } from '../util/did-you-mean.ts';
import {
  EXPRESSION_HELP,
  type Expression,
  fillIn,
  findExpressions,
  findForeign,
  findHtml,
  findMiswritten,
  mapStrings,
} from './expressions.ts';
import type { Problems } from '../document/problems.ts';
import { isTextContext, noteUse, objectKey, type UsedText } from './used-texts.ts';
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
  const usedTexts = new Map<string, Map<string, UsedText>>();
  const filled = mapStrings(value, (text, path) => {
    if (!/[{$%<&]/.test(text)) return text;
    const source = memberOf(scope.source, ...path);
    warnOfOthers(text, source, problems);
    if (NOT_FILLED.test(source)) return text;
    // A text may use the matrix of its own post plan, but the matrix itself cannot.
    const [, plan = '', matrix] = /^#\/posts\/([^/]+)\/(matrix\/)?/.exec(source) ?? [];
    const post = matrix === undefined ? plan : '';
    for (const expression of [...findExpressions(text), ...findMiswritten(text)]) {
      const { context = '', name = '', text: fragment } = expression;
      const keys = matrixKeys.get(post);
      const isRepeated = scope.repeated?.has(plan) ?? false;
      const problem = check(expression, { variables, matrixKeys: keys, isRepeated, problems });
      if (problem) problems.add({ ...problem, source, fragment });
      else if (context === 'vars') usedVariables.add(name);
      else if (context === 'matrix') usedMatrixKeys.add(`${post}/${name}`);
      else if (isTextContext(context)) {
        if (keys !== 'any') usedMatrixKeys.add(`${post}/${objectKey(context, keys ?? [])}`);
        noteUse(usedTexts, post, { context, name, places: [{ source, fragment }] });
      }
    }
    const lookup = ({ context, name = '' }: Expression) =>
      context === 'vars' ? variables.values.get(name) : undefined;
    return fillIn(text, lookup);
  });
  return { value: filled, usedVariables, usedMatrixKeys, usedTexts };
}

/** Texts that reach the service, so that what stands in them is paid for. */
const SENT =
  /^(?:#\/(?:posts|products|concepts|defaults|variables|service\/environments\/[^/]+\/variables)\/|[^#]+#)(?!.*\/(?:images|ref_images|url|id)(?:\/|$))/;

function warnOfOthers(text: string, source: SourceRef, problems: Problems): void {
  if (!SENT.test(source)) return;
  for (const fragment of findForeign(text)) {
    const detail = `This looks like a placeholder of another tool. Only \${{ … }} is filled in here: this would be sent as it stands. If that is meant, nothing has to be done.`;
    problems.add({ code: 'foreign-placeholder', severity: 'warning', detail, source, fragment });
  }
  const [markup] = findHtml(text);
  if (markup === undefined) return;
  const detail = `This text holds HTML ("${markup}"). Texts are sent as they stand, and the service would read tags and entities as words. Write the text as a browser shows it. If it is meant, nothing has to be done.`;
  problems.add({ code: 'html-in-text', severity: 'warning', detail, source, fragment: markup });
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
    case 'product':
    case 'concept':
      return checkObjectText(context, name, scope);
    case 'with':
      return scope.matrixKeys ? undefined : ({ code: 'invalid-expression', detail: NO_COMBINATION } as const);
    case 'run':
      return checkRun(name, scope);
    default: {
      const hint = scope.problems.didYouMean(context, () => CONTEXTS);
      const machine = ' A plan must not depend on the machine it is made on: give the value with --var.';
      const why = context === 'env' ? machine : '';
      const detail = `There is no "${context}" to read from.${hint}${why} ${EXPRESSION_HELP}`;
      return { code: 'invalid-expression', detail } as const;
    }
  }
}

const CONTEXTS = ['vars', 'matrix', 'product', 'concept', 'with', 'run'];

const NO_COMBINATION =
  '`with` stands for the texts of a row of `include`: it can be used in a post with a matrix, in its concept and its items, and nowhere else.';

/** The texts that every product and concept may have; others are under `vars`. */
const OWN_TEXTS = ['name', 'description'];

function checkObjectText(kind: 'product' | 'concept', name: string, { matrixKeys, problems }: CheckScope) {
  if (!matrixKeys || (matrixKeys !== 'any' && objectKey(kind, matrixKeys) === undefined)) {
    const detail = `\`${kind}\` stands for the ${kind} of a combination: it can be used in a post whose matrix has the key \`${kind}\`, in its concept and its items.`;
    return { code: 'invalid-expression', detail } as const;
  }
  if (OWN_TEXTS.includes(name) || name.startsWith('vars.')) return undefined;
  const hint = problems.didYouMean(name, () => OWN_TEXTS) || ` It has: name, description and vars.NAME.`;
  return { code: 'invalid-expression', detail: `A ${kind} has no "${name}".${hint}` } as const;
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
