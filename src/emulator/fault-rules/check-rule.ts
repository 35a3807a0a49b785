import type { FaultRule } from './fault-rule.ts';
import { GENERATION, ROUTES, routesOf } from './routes.ts';

const FILES = 'GET /files/{id}';

/** Why a fault rule can never be played; undefined where it can. */
export function ruleMistake({ on, do: fault }: FaultRule): string | undefined {
  const routes = routesOf(on);
  const unknown = routes.find((route) => route !== GENERATION && !ROUTES.some((known) => known === route));
  if (unknown !== undefined) return `There is no endpoint "${unknown}".`;
  const isGeneration = fault.fault === 'generation';
  if (isGeneration && routes.some((route) => route !== GENERATION))
    return 'The fault `generation` happens to a post, not to a request: write `on: generation`.';
  if (!isGeneration && routes.includes(GENERATION))
    return 'To the making of a post only the fault `generation` can happen. Write the endpoint that it is meant for.';
  if (fault.fault === 'body' && fault.body === 'wrong-type' && routes.some((route) => route !== FILES))
    return `The body \`wrong-type\` is for files only: write \`on: ${FILES}\`.`;
  return undefined;
}
