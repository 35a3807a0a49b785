/**
 * What a person decides on the page: one plain value, changed by pure functions. A verdict belongs to a medium (a take), not
 * to a post. `written` is what the file has, as far as the page knows; what differs from it would be lost with the page.
 */
import { idKey } from '../util/id-key.ts';
import type { ReportData, SheetPost, TakeDecision } from '../views/report-data.ts';

/** As in schemas/decisions.schema.json. */
export interface Decision {
  readonly post: string;
  readonly media: string;
  readonly verdict: 'approved' | 'rejected';
  readonly note?: string;
  readonly by?: string;
  readonly at?: string;
}

/** By `idKey` of the medium, newest last. */
export type ByMedium = ReadonlyMap<string, Decision>;

export interface Decisions {
  readonly all: ByMedium;
  readonly written: ByMedium;
  /** Notes on what has no verdict yet: the file has no place for them, and the verdict takes them over. */
  readonly drafts: ReadonlyMap<string, string>;
  readonly undo: readonly UndoStep[];
}

/** What one command changed, as it was before. */
export interface UndoStep {
  readonly label: string;
  /** Addresses of the posts. */
  readonly posts: readonly string[];
  readonly before: readonly {
    readonly key: string;
    readonly decision: Decision | undefined;
    readonly draft: string | undefined;
  }[];
}

/** What can be judged: the newest take of a finished post. */
export interface Target {
  readonly post: string;
  readonly media: string;
}

export function targetOf({ address, status, takes }: SheetPost): Target | undefined {
  const newest = takes.at(-1);
  return status === 'done' && newest ? { post: address, media: newest.media } : undefined;
}

/** With the decisions that the report was made with. */
export function startDecisions(data: ReportData): Decisions {
  const all = decisionsIn(data);
  return { all, written: all, drafts: new Map(), undo: [] };
}

/** Also those about what is gone: they stay in the file. */
export function decisionsIn({ posts, goneDecisions }: ReportData): ByMedium {
  const all = new Map<string, Decision>();
  for (const { media, address, ...decision } of goneDecisions)
    all.set(idKey(media), { post: address, media, ...partsOf(decision) });
  for (const { address, takes } of posts)
    for (const { media, decision } of takes)
      if (decision) all.set(idKey(media), { post: address, media, ...partsOf(decision) });
  return all;
}

function partsOf({ verdict, note, by, at }: TakeDecision): Pick<Decision, 'verdict' | 'note' | 'by' | 'at'> {
  return {
    verdict,
    ...(note !== null && { note }),
    ...(by !== null && { by }),
    ...(at !== '' && { at }),
  };
}

export function decisionAbout(media: string, { all }: Pick<Decisions, 'all'>): Decision | undefined {
  return all.get(idKey(media));
}

export type Judged = Decision['verdict'] | 'undecided';

/** Undefined for what cannot be judged. */
export function judgedAs(post: SheetPost, decisions: Pick<Decisions, 'all'>): Judged | undefined {
  const target = targetOf(post);
  return target && (decisionAbout(target.media, decisions)?.verdict ?? 'undecided');
}

/** The note that people see at a post: that of its verdict, else one that waits for a verdict. */
export function noteOn(post: SheetPost, { all, drafts }: Pick<Decisions, 'all' | 'drafts'>): string {
  const target = targetOf(post);
  if (!target) return '';
  const key = idKey(target.media);
  return all.get(key)?.note ?? drafts.get(key) ?? '';
}

/** As `campaign status` counts: of what the manifest asks for. */
export function countDecided(data: ReportData, decisions: Decisions): Record<Judged, number> {
  const counts = { approved: 0, rejected: 0, undecided: 0 };
  for (const post of data.posts) {
    const judged = post.wanted ? judgedAs(post, decisions) : undefined;
    if (judged) counts[judged] += 1;
  }
  return counts;
}

export interface Said {
  readonly verdict: Decision['verdict'];
  /** Undefined keeps the note of a verdict that stays the same, and takes over one that waits for a verdict. */
  readonly note?: string;
  readonly by: string;
  /** ISO 8601 */
  readonly at: string;
}

export function judge(decisions: Decisions, targets: readonly Target[], said: Said): Decisions {
  const { verdict, by, at } = said;
  return change(decisions, targets, verdict === 'approved' ? 'Approved' : 'Rejected', (target, key) => {
    const known = decisions.all.get(key);
    const kept = known?.verdict === verdict ? known.note : decisions.drafts.get(key);
    const note = said.note ?? kept ?? '';
    if (known?.verdict === verdict && (known.note ?? '') === note) return { decision: known };
    return { decision: { ...target, verdict, ...(note && { note }), ...(by && { by }), at } };
  });
}

/** Takes the verdicts back, with their notes. */
export function clear(decisions: Decisions, targets: readonly Target[]): Decisions {
  return change(decisions, targets, 'Cleared', () => ({}));
}

export function annotate(
  decisions: Decisions,
  targets: readonly Target[],
  said: Pick<Said, 'by' | 'at'> & { readonly note: string },
): Decisions {
  const { note, by, at } = said;
  return change(decisions, targets, 'Noted on', (_, key) => {
    const known = decisions.all.get(key);
    if (!known) return note ? { draft: note } : {};
    if ((known.note ?? '') === note) return { decision: known };
    const { post, media, verdict } = known;
    return { decision: { post, media, verdict, ...(note && { note }), ...(by && { by }), at } };
  });
}

interface Entry {
  readonly decision?: Decision | undefined;
  readonly draft?: string | undefined;
}

/** As one step that can be undone; nothing where nothing differs afterwards. */
function change(
  decisions: Decisions,
  targets: readonly Target[],
  label: string,
  entryOf: (target: Target, key: string) => Entry,
): Decisions {
  const before: UndoStep['before'][number][] = [];
  const posts: string[] = [];
  const all = new Map(decisions.all);
  const drafts = new Map(decisions.drafts);
  for (const target of targets) {
    const key = idKey(target.media);
    const known = { decision: all.get(key), draft: drafts.get(key) };
    const entry = entryOf(target, key);
    if (entry.decision === known.decision && entry.draft === known.draft) continue;
    before.push({ key, ...known });
    posts.push(target.post);
    put({ all, drafts }, key, entry);
  }
  if (before.length === 0) return decisions;
  return { ...decisions, all, drafts, undo: [...decisions.undo, { label, posts, before }] };
}

/** What is set anew stands last. */
function put(
  { all, drafts }: { readonly all: Map<string, Decision>; readonly drafts: Map<string, string> },
  key: string,
  { decision, draft }: Entry,
): void {
  all.delete(key);
  drafts.delete(key);
  if (decision) all.set(key, decision);
  if (draft !== undefined) drafts.set(key, draft);
}

export function undoLast(decisions: Decisions): Decisions {
  const step = decisions.undo.at(-1);
  if (!step) return decisions;
  const all = new Map(decisions.all);
  const drafts = new Map(decisions.drafts);
  for (const { key, ...entry } of step.before) put({ all, drafts }, key, entry);
  return { ...decisions, all, drafts, undo: decisions.undo.slice(0, -1) };
}

export function isSame(one: Decision | undefined, other: Decision | undefined): boolean {
  return (['verdict', 'note', 'by', 'at'] as const).every((part) => one?.[part] === other?.[part]);
}
