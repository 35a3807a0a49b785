import type { CampaignDocument } from './generated/campaign-document.js';
import { entryOf } from './environment.ts';
import { hasExpression } from './expressions.ts';
import type { Problems } from '../document/problems.ts';

export interface Variables {
  readonly values: ReadonlyMap<string, string>;
  readonly declared: ReadonlySet<string>;
  /** False where some could not be read: then no name counts as unknown. */
  readonly complete: boolean;
}

/** Without a chosen environment, a variable that only environments declare has the value of the first of them. */
export function readVariables(
  document: CampaignDocument,
  options: { environment: string; given: ReadonlyMap<string, string> },
  problems: Problems,
): Variables {
  const service = document.service ?? {};
  const values = new Map<string, string>();
  const broken = ['#/variables', '#/service/environments'].some((place) => problems.isBroken(place));
  const complete = !broken && !problems.isExplained('#/service');
  const declare = (variables: Readonly<Record<string, unknown>>, source: string) => {
    for (const [name, value] of Object.entries(variables)) {
      const text = String(value);
      if (hasExpression(text)) {
        const detail =
          'The value of a variable is taken as it is, so this would stay as written. Write the value out.';
        problems.add({ code: 'invalid-expression', detail, source: `${source}/${name}` });
      }
      values.set(name, text);
    }
  };
  const byName = Object.entries(service.environments ?? {});
  for (const [name, { variables = {} }] of byName.toReversed())
    declare(variables, `#/service/environments/${name}/variables`);
  const declared = new Set([...values.keys(), ...Object.keys(document.variables ?? {})]);
  declare(document.variables ?? {}, '#/variables');
  for (const [name, value] of Object.entries(entryOf(service, options.environment)?.variables ?? {}))
    values.set(name, String(value));
  for (const [name, value] of options.given) values.set(name, value);
  return { values, declared, complete };
}

/** A given value that nothing reads is most likely a typing error. */
export function checkGiven(
  given: ReadonlyMap<string, string>,
  known: ReadonlySet<string>,
  problems: Problems,
): void {
  for (const name of given.keys()) {
    if (known.has(name)) continue;
    const hint = problems.didYouMean(name, () => known) || ' Check the name, or leave the value out.';
    const detail = `A value was given for the variable "${name}" (--var, --var-file or CAMPAIGN_VAR_${name}), and nothing in the manifest uses one.${hint}`;
    problems.add({ code: 'unknown-variable', detail });
  }
}
