import type { Problem } from '../model/problem.ts';

/** An answer at a guessed path that does not name the media configuration that was asked about. */
export interface StrayMedia {
  readonly template: string;
  /** The configuration that it names; undefined where it names none. */
  readonly owner: string | undefined;
  readonly status: string;
}

/** Why it is not taken for the post, and what to do if it is the post. */
export function strayWords({ template, owner }: StrayMedia): string {
  if (owner !== undefined)
    return `At ${template} the service gives a post of another media configuration (${owner}): if this one should be there, set service.media_path.`;
  return (
    `At ${template} the service gives a post, but its generate_config names no media configuration, so it may be ` +
    `another one. If it is this one, set service.media_path: "${template}".`
  );
}

/** For a post that the service had before: another post at its path does not say that it is gone. */
export function strayProblem(stray: StrayMedia): Problem {
  return { summary: 'The service gives something else in its place', detail: strayWords(stray) };
}
