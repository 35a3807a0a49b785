/** One question for all manifests of an apply, before the first has its turn: nobody has to be there for the others. */
import { usableApiKey } from '../app/api-key.ts';
import { type Claims, createClaims } from '../app/claimed-places.ts';
import type { Accounts } from '../app/account.ts';
import type { Agreement, Asking } from '../app/decide-plan.ts';
import type { Payable } from '../app/payable.ts';
import { openMemory } from '../app/no-changes.ts';
import type { PlanWishes } from '../app/plan-wishes.ts';
import type { Refusal } from '../model/problem.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { ok, type Result } from '../util/result.ts';
import { areFree, costsText, newPostsOf, postsText, replacedBy } from '../views/budget-words.ts';
import { heldUpWords } from '../views/held-words.ts';
import { askAbout, showQuestioned } from './apply-console.ts';
import type { ApplyOptions } from './options.ts';
import { namesOf } from './output.ts';
import { accountsOf, load, type Session, sourceFor, tellReading } from './session.ts';
import type { Terminal } from './terminal.ts';

/** By the manifest. Those about which nothing has to be asked have none. */
export type Agreements = ReadonlyMap<string, Agreement>;

interface Proposing {
  readonly wishes: PlanWishes;
  readonly accounts: Accounts;
  readonly claims: Claims;
}

export async function askForAll(
  files: readonly string[],
  session: Session<ApplyOptions>,
  { wishes, terminal }: { readonly wishes: PlanWishes; readonly terminal: Terminal },
): Promise<Result<Agreements, Refusal>> {
  const { runtime } = session;
  const output = session.output.about({}, undefined, files.length);
  const reading = session.following((event) => {
    if (event.type === 'reading') tellReading(event, output);
  });
  const proposing = { wishes, accounts: accountsOf(session, files), claims: createClaims(runtime.disk) };
  const asked = new Map<string, Asking>();
  for (const file of files) {
    const asking = await askingAbout(file, reading, proposing);
    if (!asking) continue;
    asked.set(file, asking);
    showQuestioned(asking.question, output);
  }
  if (!asked.size) return ok(new Map());
  if (asked.size > 1) output.progress(`${listOf(files.length, asked)}\n`);
  const answer = await askAbout(together([...asked.values()]), { output, terminal });
  if (!answer.ok) return answer;
  const agreed = [...asked].map(([file, { hash }]) => [file, { answer: answer.value, hash }] as const);
  return ok(new Map(agreed));
}

/** Undefined where nothing is asked about it, or it is refused: its turn says why. */
async function askingAbout(
  file: string,
  session: Session<ApplyOptions>,
  { wishes, accounts, claims }: Proposing,
): Promise<Asking | undefined> {
  const { runtime } = session;
  const source = await sourceFor(session, file);
  if (!source.ok) return undefined;
  const known = openMemory(runtime, source.value, { command: 'apply', wishes, folders: 'check' }).recall();
  const isDone = await known?.campaign.store.hasMark?.(known.mark);
  if (known && isDone && !claims.claim(file, known.campaign)) return undefined;
  const loaded = await load(runtime, source.value);
  if (!loaded.ok || claims.claim(file, loaded.value)) return undefined;
  if (!(await usableApiKey(runtime, loaded.value.manifest.environment)).ok) return undefined;
  const { questionBeforehand } = await import('../app/decide-plan.ts');
  const deciding = { wishes, accounts, consent: 'first-requests' } as const;
  const asking = await questionBeforehand(runtime, loaded.value, deciding);
  if (!asking.ok || !asking.value) return undefined;
  if (asking.value.spending) accounts.spentBy(loaded.value, asking.value.spending);
  return asking.value;
}

/** `2 of 10 manifests:`, and a line for each. */
function listOf(files: number, asked: ReadonlyMap<string, Asking>): string {
  const lines = [...asked].map(([file, { question }]) => {
    const { campaign, environment } = namesOf(question.campaign.manifest);
    const names = [campaign, environment, file].filter((name) => name !== undefined).join(' · ');
    return `  ${inertText(names)}: ${wordsOf(question.posts)}\n`;
  });
  return `${asked.size} of ${count(files, 'manifest')}:\n${lines.join('')}`;
}

function wordsOf({ first, finished, heldUp, all, deletions }: Payable): string {
  const cost = (all ?? first).cost;
  return [
    ...(first.posts ? [postsText(first)] : []),
    ...(heldUp ? [heldUpWords(heldUp)] : []),
    ...(finished ? [`${count(finished, 'finished post')} again`] : []),
    ...(deletions ? [`${deletions} to delete`] : []),
    ...(cost === undefined ? [] : [cost]),
  ].join(', ');
}

/** What all of them come to; all finished posts only where no budget forbids those of one. */
function together(asked: readonly Asking[]): Payable {
  const posts = asked.map(({ question }) => question.posts);
  const priced = (plans: readonly Asking['left'][]) => ({
    posts: newPostsOf(plans),
    replaced: replacedBy(plans),
    cost: costsText(plans),
  });
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  return {
    first: priced(asked.map(({ left }) => left)),
    finished: sumOf(posts.map(({ finished }) => finished)),
    keepable: sumOf(posts.map(({ keepable }) => keepable)),
    heldUp: sumOf(posts.map(({ heldUp }) => heldUp)),
    all: posts.every(({ all }) => all) ? priced(asked.map(({ whole }) => whole)) : undefined,
    deletions: sumOf(posts.map(({ deletions }) => deletions)),
    isFree: areFree(posts),
  };
}
