import type { Problem } from '../model/problem.ts';

/** An answer to a guess that does not name the media configuration that was asked about. */
export interface StrayMedia {
  readonly template: string;
  /** The configuration that it names; undefined where it names none. */
  readonly owner: string | undefined;
  /** Its state, in the service's words. */
  readonly status: string;
}

/** Why it is not taken for the post, and what to do if it is. */
export function strayWords({ template, owner }: StrayMedia): string {
  if (owner !== undefined)
    return `At ${template} the service gives a post of another media configuration (${owner}): if this one should be there, set service.media_path.`;
  return (
    `At ${template} the service gives a post, but its generate_config names no media configuration, so it may be ` +
    `another one. If it is this one, set service.media_path: "${template}".`
  );
}

/** Of a post that the service had once: what stands in its place does not say that it is gone. */
export function strayProblem(stray: StrayMedia): Problem {
  return { summary: 'The service gives something else in its place', detail: strayWords(stray) };
}
