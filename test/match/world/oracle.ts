/** The rules of what a thing was before, word for word and slow, and what has to hold of every plan. */
import { type Address, postPlanOf, splitMedia, splitTake } from '../../../src/model/address.ts';
import { everyOf, hasDay, withoutPeriod } from '../../../src/model/period.ts';
import { currentTake, type RunState, type TakeState } from '../../../src/model/run-state.ts';
import { verdictAbout } from '../../../src/model/verdict.ts';
import { isLetGo, type Seen, type Wanted } from './adapter.ts';

interface Thing {
  readonly address: Address;
  readonly fingerprint: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly letGo?: true;
}

/** Where the rules can be read in two ways, either is right. */
interface Reading {
  /** Whether photos are compared among all, or among what rule 2 left. */
  readonly among: 'all' | 'rest';
  /** Whether something is named no more whose key something else has got. */
  readonly isTakenUnnamed: boolean;
}

const READINGS: readonly Reading[] = (['all', 'rest'] as const).flatMap((among) =>
  [false, true].map((isTakenUnnamed) => ({ among, isTakenUnnamed })),
);

/** What each product or concept of the manifest was, by rules 1 to 3. */
function formerOf(kind: 'product' | 'concept', seen: Seen, reading: Reading): Map<Address, Address> {
  const byAddress = (a: Thing, b: Thing) => (a.address < b.address ? -1 : 1);
  const ofKind = ({ address }: Thing) => address.startsWith(`${kind}/`);
  const known: Thing[] = [...seen.before.objects.values()].filter(ofKind).sort(byAddress);
  const wanted: Thing[] = [...seen.graph.objects.values()].filter(ofKind).sort(byAddress);
  const isNamed = ({ address }: Thing) => seen.graph.objects.has(address);
  const was = new Map<Address, Address>();
  const free = () => known.filter(({ address }) => ![...was.values()].includes(address));
  const open = () => wanted.filter(({ address }) => !was.has(address));

  for (const { from, to } of seen.graph.moved)
    if (open().some(({ address }) => address === to) && !seen.before.objects.has(to))
      for (const one of free()) if (one.address === from && !isNamed(one)) was.set(to, from);

  for (const now of open())
    if (seen.before.objects.get(now.address)?.fingerprint === now.fingerprint)
      if (free().some(({ address }) => address === now.address)) was.set(now.address, now.address);
  for (const now of open()) {
    const same = free().find(({ fingerprint }) => fingerprint === now.fingerprint);
    if (same) was.set(now.address, same.address);
  }

  const isAlive = (one: Thing) => !isLetGo(one);
  if (kind === 'product') {
    const [mine, theirs] = reading.among === 'all' ? [wanted, known] : [open(), free()];
    const pairs = open().flatMap((now) => {
      const had = theirs.filter((one) => isAlive(one) && samePhotos(one, now));
      const have = mine.filter((one) => samePhotos(one, now));
      const isOne = had.length === 1 && have.length === 1;
      return isOne ? free().flatMap((one) => (one === had[0] ? [{ now, one }] : [])) : [];
    });
    for (const { now, one } of pairs) was.set(now.address, one.address);
  }
  for (const now of open())
    if (free().some(({ address }) => address === now.address)) was.set(now.address, now.address);
  const likes = open().map((now) => {
    const like = free().filter(
      (one) =>
        (reading.isTakenUnnamed || !isNamed(one)) &&
        isAlive(one) &&
        (kind === 'product' ? haveOwn(one, now, seen) : alike(one, now)),
    );
    return [now, like] as const;
  });
  for (const [now, [one, ...more]] of likes)
    if (one && !more.length && free().includes(one)) was.set(now.address, one.address);
  return was;
}

function photosOf({ inputs }: Thing): readonly string[] {
  return (inputs['images'] ?? []) as readonly string[];
}

function samePhotos(one: Thing, other: Thing): boolean {
  return photosOf(one).length > 0 && photosOf(one).join() === photosOf(other).join();
}

/** Whether they have a photo in common that no third product of state or manifest has. */
function haveOwn(one: Thing, now: Thing, { before, graph }: Seen): boolean {
  const third = [...before.objects.values(), ...graph.objects.values()].filter(
    (each) => each.address.startsWith('product/') && each !== one && each !== now,
  );
  return photosOf(one).some(
    (photo) => photosOf(now).includes(photo) && !third.some((each) => photosOf(each).includes(photo)),
  );
}

function alike({ inputs: a }: Thing, { inputs: b }: Thing): boolean {
  const refs = ({ ref_images = [] }: Thing['inputs']) => (ref_images as readonly string[]).join();
  return (
    (a['description'] !== undefined && a['description'] === b['description']) ||
    (refs(a) !== '' && refs(a) === refs(b))
  );
}

/** Whether two products are the same, as rule 5 says: one of the state by its old address, one of the manifest. */
function sameProduct(old: Address, now: Address, was: Former, seen: Seen): boolean {
  if (was.has(now)) return was.get(now) === old;
  const [one, other] = [seen.before.objects.get(old), seen.graph.objects.get(now)];
  if (!one || !other || [...was.values()].includes(old)) return false;
  return samePhotos(one, other) || haveOwn(one, other, seen);
}

/** What holds up a post that would be bought as new, in the order of addresses. */
function heldBy({ item, period }: Wanted, seen: Seen, { former, shown, isWide = false }: Told): Address[] {
  const named = new Set(seen.wanted.flatMap(({ known }) => (known ? [known.address] : [])));
  const holding = seen.media.filter((medium) => {
    const take = currentTake(medium);
    if (named.has(medium.address) || isLetGo(medium) || medium.surplus) return false;
    if (!take || !isAlive(take, seen)) return false;
    const isOnwards = isWide && everyOf(medium.period ?? '') !== everyOf(period ?? '');
    if (medium.period !== period && !isOnwards) return false;
    const had = shown.get(`${take.request} ${take.requestedAs}`) ?? [];
    const { products } = item;
    if (!had.length || !products.length) return had.length === products.length;
    const isSame = (old: Address, now: Address) => sameProduct(old, now, former, seen);
    return (
      products.every((now) => had.some((old) => isSame(old, now))) ||
      had.every((old) => products.some((now) => isSame(old, now)))
    );
  });
  return holding.map(({ address }) => address).sort();
}

/** Finished, pending or unknown, and not rejected. */
function isAlive(take: TakeState, seen: Seen): boolean {
  return ['done', 'pending', 'unknown'].includes(take.status) && !isRejected(take, seen);
}

function isRejected(take: TakeState | undefined, { verdicts }: Seen): boolean {
  return take?.result !== undefined && verdictAbout(take.result.id, verdicts)?.verdict === 'rejected';
}

type Former = ReadonlyMap<Address, Address>;

/** `isWide`: with posts that would go on in the period, because `every` was added, changed or taken away. */
interface Told {
  readonly former: Former;
  readonly shown: Shown;
  readonly isWide?: boolean;
}

/** The products that each take shows, by its request and its name there. */
type Shown = ReadonlyMap<string, readonly Address[]>;

/** What is wrong with a plan. */
export function faults(seen: Seen, shown: Shown, today: string): string[] {
  const moves = seen.held.moves.filter(({ from, to }) => /^(product|concept)\//.test(from) && !isAside(to));
  const renamed = new Map(moves.map(({ from, to }) => [to, from]));
  const all = (['product', 'concept'] as const).map((kind) => {
    const readings = READINGS.map((reading) => formerOf(kind, seen, reading));
    const said = toldOf(renamed, kind);
    const [first = new Map<Address, Address>()] = readings;
    const found = readings.find((former) => toldOf(former, kind) === said);
    const wrong = found ? [] : [`rules 1 to 3: ${kind}s move ${said}, expected ${toldOf(first, kind)}`];
    return { former: found ?? first, wrong };
  });
  const former = new Map(all.flatMap((each) => [...each.former]));
  return [
    ...all.flatMap(({ wrong }) => wrong),
    ...seen.wanted
      .filter(({ isSelected }) => isSelected)
      .flatMap((want) => wrongly(want, seen, { former, shown })),
    ...boughtAgain(seen, 'held'),
    ...boughtAgain(seen, 'made'),
    ...guesses(seen, renamed, today),
  ];
}

function toldOf(former: Former, kind: string): string {
  const moves = [...former].filter(([to, from]) => to !== from && to.startsWith(`${kind}/`));
  return moves
    .map(([to, from]) => `${from} → ${to}`)
    .sort()
    .join(', ');
}

/** Properties 1 and 4: what is held up is asked about, and nothing else is but replacements. */
function wrongly(want: Wanted, seen: Seen, told: Told): string[] {
  const { address } = want;
  const take = want.known && currentTake(want.known);
  const isBought = seen.bought.held.has(address) && !isRejected(take, seen);
  const isAsked = seen.asked.has(address);
  const by = seen.asked.get(address);
  if (take && take.fingerprint === want.item.fingerprint)
    return isAsked || isBought ? [`${address} is there, and is wanted anew`] : [];
  if (take && !isLetGo(want.known)) {
    if (isBought && isAlive(take, seen)) return [`${address} is replaced unasked`];
    return by ? [`${address} is an edit, and held by ${by.join()}`] : [];
  }
  const expected = heldBy(want, seen, told);
  const most = heldBy(want, seen, { ...told, isWide: true });
  const isRight =
    by &&
    by.length > 0 &&
    expected.every((each) => by.includes(each)) &&
    by.every((each) => most.includes(each));
  if (isAsked && !(isRight && by.join() === by.toSorted().join()))
    return [`rule 5: ${address} is held up by ${by?.join()}, expected ${expected.join() || 'nothing'}`];
  return expected.length && isBought
    ? [`rule 5: ${address} is bought, although ${expected.join()} hold it up`]
    : [];
}

/** Property 4: no request for what the state has exactly and nobody names any more. */
function boughtAgain(seen: Seen, which: 'held' | 'made'): string[] {
  const keyOf = (fingerprint: string, period: string | undefined) => `${fingerprint} ${period}`;
  const there = seen.media.flatMap(({ address, takes, period }) =>
    takes
      .filter((take) => isAlive(take, seen) && take.status !== 'unknown')
      .map(({ fingerprint, n }) => ({ key: keyOf(fingerprint, period), at: `${address}@${n}` })),
  );
  const isReroll = ({ known }: Wanted) => isRejected(known && currentTake(known), seen);
  const keys = new Set(seen.wanted.map(({ item, period }) => keyOf(item.fingerprint, period)));
  return [...keys].flatMap((key) => {
    const same = seen.wanted.filter(({ item, period }) => keyOf(item.fingerprint, period) === key);
    const mine = same.filter((want) => seen.bought[which].has(want.address) && !isReroll(want));
    const known = there.filter((each) => each.key === key).map(({ at }) => at);
    if (mine.length <= Math.max(0, same.length - known.length)) return [];
    return [`rule 2: ${mine.map(({ address }) => address).join()} is ${known.join()} (${which})`];
  });
}

/** Posts are moved only as exactly the same, along with a product or concept, or into another period; never by a guess. */
function guesses(seen: Seen, objects: Former, today: string): string[] {
  const keyOf = (address: Address | undefined) => address?.split('/')[1];
  const renamed = new Set([...objects].map(([to, from]) => `${keyOf(from)} ${keyOf(to)}`));
  // Where present sets went: settled ones go with them.
  const whole = new Set(
    seen.held.moves.flatMap(({ from, to, period }) => {
      const medium = seen.before.media.get(from);
      return medium?.period === period ? [`${baseOf(from, period)} ${baseOf(to, period)}`] : [];
    }),
  );
  return seen.held.moves.flatMap(({ from, to, period }) => {
    const { address, take: n } = splitTake(from);
    const medium = seen.before.media.get(address);
    if (!medium || isAside(to)) return [];
    const take = n === undefined ? currentTake(medium) : medium.takes.find((each) => each.n === n);
    const isOther = period !== medium.period && everyOf(period ?? '') === everyOf(medium.period ?? '');
    if (isOther) return [`${from} of ${medium.period} goes on as ${to}`];
    const want = seen.wanted.find((each) => each.address === splitTake(to).address);
    if (want?.item.fingerprint === take?.fingerprint) return [];
    const isOver = medium.period !== undefined && !hasDay(medium.period, today);
    const [old, now] = [partsOf(address, medium.period), partsOf(to, period)];
    // One that has lost its key is matched by place.
    const isUnkeyed = /^\d+$/.test(splitMedia(to).item);
    const isAlong = old.every(
      (part, index) =>
        part === now[index] ||
        renamed.has(`${part} ${now[index]}`) ||
        (isUnkeyed && index === old.length - 1),
    );
    if (isOver && whole.has(`${baseOf(address, medium.period)} ${baseOf(to, period)}`)) return [];
    const isPlan = postPlanOf(medium.post) === postPlanOf(splitMedia(to).post);
    return isAlong && isPlan && old.length === now.length ? [] : [`a guess: ${from} → ${to}`];
  });
}

function baseOf(address: Address, period: string | undefined): string {
  return withoutPeriod(splitMedia(address).post, period);
}

/** The values of the matrix and the item. */
function partsOf(address: Address, period: string | undefined): string[] {
  const { post, item } = splitMedia(address);
  const [, instance = ''] = withoutPeriod(post, period).split('/');
  // What had to leave its name keeps a number: `p2+1` is one part.
  return [...instance.split(/\+(?!\d+(?:\+|$))/), item];
}

/** Property 2: files under the name of a product which their take does not show, and which never was exactly as what it shows. */
export function misnamed(
  { wanted }: Seen,
  { media, objects }: RunState,
  posts: Former,
  shown: Shown,
): string[] {
  const named = new Map(wanted.map((want) => [want.address, want.item.fingerprint]));
  return Array.from(media.values(), ({ address, post, item, takes }) => {
    const newest = takes.findLast(({ files }) => files)?.n;
    // What is exactly what is asked for is that post, also where a twin of its product once asked for it.
    const isExact = named.get(address) === takes.at(-1)?.fingerprint;
    return takes.flatMap(({ files = [], inputs, request, requestedAs, n }) => {
      const shows = shown.get(`${request} ${requestedAs}`) ?? [];
      if (isAside(address)) return [];
      const assets = (inputs['assets'] ?? []) as readonly { readonly product: string }[];
      return files.flatMap(({ path }) => {
        const [, first = '', ...parts] = path.split('/');
        const [byShown, folder] = /^of(?:-|$)/.test(first)
          ? [first.slice(3), parts]
          : ['', [first, ...parts]];
        const product = posts.get(folder.slice(0, -1).join('/'));
        const keys =
          named.has(address) && byShown
            ? byShown.split(/\+(?!\d+(?:\+|$))/).map((key) => `product/${key}`)
            : [];
        const wrong = [...(product === undefined ? [] : [product]), ...keys].filter((each) => {
          // What nothing else is called is but a former name.
          const versions = objects.get(each)?.versions;
          return versions && !shows.includes(each) && !assets.some((asset) => versions.has(asset.product));
        });
        const isElsewhere = named.has(address) && !folder.join('/').startsWith(`${post}/${item}-`);
        // An older take shows what its post once asked for: it has its number in its name.
        const isWrong = wrong.length > 0 && n === newest && !isExact;
        return isWrong || isElsewhere ? [`${path} (${address}@${n}) shows ${shows.join()}`] : [];
      });
    });
  }).flat();
}

/** A name for what has to leave an address and is named by nothing: no key and no number has a plus. */
function isAside(address: Address): boolean {
  return /\+\d+(?=[/+]|$)/.test(address);
}
