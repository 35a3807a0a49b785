/** Globs over posts that were requested before. Each has to be about one of the manifests: it may be mistyped. */
import { noMatch } from '../app/plan-campaign.ts';
import type { Refusal } from '../model/problem.ts';
import { isNamed, type Selection } from '../plan/select.ts';

export interface PostGlobs extends Selection {
  /** Takes in the posts of a manifest; with a single one, says why it cannot have its turn. */
  readonly see: (posts: Iterable<string>) => Refusal | undefined;
  /** Once all were seen: what none of them has. */
  readonly unseen: () => Refusal | undefined;
}

export function createPostGlobs(
  { only = [], exclude = [] }: Partial<Selection>,
  manifests: readonly string[],
): PostGlobs {
  const left = new Set([...only, ...exclude]);
  const unseen = () => {
    const [first] = left;
    return first === undefined ? undefined : noMatch(first);
  };
  return {
    only,
    exclude,
    see(posts) {
      for (const post of left.size ? posts : [])
        for (const glob of left) if (isNamed(post, [glob])) left.delete(glob);
      return manifests.length === 1 ? unseen() : undefined;
    },
    unseen,
  };
}
