/** No estimate is made from fewer posts. */
const ENOUGH_POSTS = 5;
const RECENT_POSTS = 64;

/** The last posts that were generated: how fast they come, and how long one takes. */
export function createRecentPosts() {
  const recent: { readonly at: number; readonly ms: number }[] = [];
  return {
    add(post: { readonly at: number; readonly ms: number }): void {
      recent.push(post);
      if (recent.length > RECENT_POSTS) recent.shift();
    },
    /** Undefined where it would be a guess. */
    perMs(now: number): number | undefined {
      const [first] = recent;
      if (!first || recent.length < ENOUGH_POSTS || now <= first.at) return undefined;
      return (recent.length - 1) / (now - first.at);
    },
    /** The median. */
    usualMs(): number | undefined {
      if (recent.length < ENOUGH_POSTS) return undefined;
      return recent.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(recent.length / 2)];
    },
  };
}
