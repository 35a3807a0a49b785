/** The instances of a matrix go with their products and concepts: their paths before and after these were renamed. */
import { type Address, postPlanOf } from '../model/address.ts';
import type { Graph, GraphPost } from '../model/graph.ts';
import { hasKey, type KeyedKind, kindOf } from '../model/kinds.ts';
import { withoutPeriod } from '../model/period.ts';
import type { Move } from '../model/plan.ts';
import { currentTake, type MediaState, type RunState } from '../model/run-state.ts';
import { slugOfKey } from '../util/slug.ts';

export interface InstancePaths {
  /** The path that a post had; undefined where it has a product or a concept that is new, though another one had its key. */
  readonly before: (post: GraphPost) => string | undefined;
  /** The path that a post of the state gets, without its period. */
  readonly after: (media: MediaState) => string;
}

/** In `state`, products and concepts have their new names already, also in requests. */
export function instancePaths(
  { posts }: Graph,
  { requests }: RunState,
  moves: readonly Move[],
): InstancePaths {
  const objects = moves.filter(({ from }) => hasKey(from));
  const baseOf = ({ post, period }: MediaState) => withoutPeriod(post, period);
  if (!objects.length) return { before: ({ path }) => path, after: baseOf };
  const from = new Map(objects.map((move) => [nameOf(move.to), nameOf(move.from)]));
  const to = new Map(objects.map((move) => [nameOf(move.from), nameOf(move.to)]));
  const plans = new Map(posts.map((post) => [postPlanOf(post.path), kindsOf(post)]));
  /** The names that what the post shows had. */
  const shownBy = (media: MediaState): ReadonlySet<string> => {
    const { concept, items = [] } = requests.get(currentTake(media)?.request ?? '')?.payload ?? {};
    const refs = [concept, ...items.flatMap(({ payload }) => payload.assets.map(({ product }) => product))];
    const names = refs.flatMap((ref) => (ref && 'address' in ref ? nameOf(ref.address) : []));
    return new Set(names.map((name) => from.get(name) ?? name));
  };
  const renamed = (path: string, shown: ReadonlySet<string>, other: Renaming) => {
    if (!path.includes('/')) return path;
    const values = valuesOf(path, plans.get(postPlanOf(path)) ?? [], shown);
    const others = values.map(({ text, kind }) =>
      kind === undefined ? text : other(`${kind}/${text}`)?.slice(kind.length + 1),
    );
    return others.includes(undefined) ? undefined : `${postPlanOf(path)}/${others.join('+')}`;
  };
  return {
    before: ({ path }) => renamed(path, NONE, (name) => from.get(name) ?? (to.has(name) ? undefined : name)),
    after: (media) => {
      const base = baseOf(media);
      return renamed(base, shownBy(media), (name) => to.get(name) ?? name) ?? base;
    },
  };
}

type Renaming = (name: string) => string | undefined;

const NONE: ReadonlySet<string> = new Set();

/** A value of the matrix in a path, and the kind of what it names. That of something that had to leave its key has a number more: `tote+1`. */
interface Value {
  readonly text: string;
  readonly kind: KeyedKind | undefined;
}

function partsOf(path: string): string[] {
  return path.slice(postPlanOf(path).length + 1).split('+');
}

type Kinds = readonly (KeyedKind | undefined)[];

/** What the values of its matrix name, one by one. */
function kindsOf({ path, period, instanceOf }: GraphPost): Kinds {
  const base = withoutPeriod(path, period?.name);
  return base.includes('/') ? partsOf(base).map((_, index) => instanceOf?.[index]) : [];
}

/**
 * By the names of what a post shows, else by the matrix that its plan has now: the manifest may not have the plan any more, or
 * with another matrix.
 */
function valuesOf(path: string, kinds: Kinds, shown: ReadonlySet<string>): Value[] {
  const kindIn = (text: string) => OBJECT_KINDS.find((kind) => shown.has(`${kind}/${text}`));
  const parts = partsOf(path);
  const values: Value[] = [];
  for (const [index, part] of parts.entries()) {
    const last = values.at(-1);
    const longer = `${last?.text ?? ''}+${part}`;
    const isMore = kinds.length > 0 && parts.length - index > kinds.length - values.length;
    const isNumber = last?.kind !== undefined && !kindIn(last.text) && /^\d+$/.test(part);
    if (last && (kindIn(longer) || (isMore && isNumber)))
      values.splice(-1, 1, { text: longer, kind: kindIn(longer) ?? last.kind });
    else values.push({ text: part, kind: kindIn(part) ?? kinds[values.length] });
  }
  return values;
}

const OBJECT_KINDS: readonly KeyedKind[] = ['product', 'concept'];

/** `product/tote`, as a path has it; what had to leave its key keeps its number. */
function nameOf(address: Address): string {
  const kind = kindOf(address) ?? '';
  const [key = '', ...aside] = address.slice(kind.length + 1).split('+');
  return [`${kind}/${slugOfKey(key)}`, ...aside].join('+');
}
