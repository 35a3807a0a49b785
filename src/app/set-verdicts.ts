/** Writes verdicts: several at once, each about a medium, also taken back, and checked under the lock of the file. */
import { addDecisions } from '../decisions/add-decisions.ts';
import type { Decision } from '../decisions/generated/decisions-document.js';
import { readDecisions } from '../decisions/read-decisions.ts';
import { removeDecisions } from '../decisions/remove-decisions.ts';
import { writeDecisions } from '../decisions/write-decisions.ts';
import { EXIT } from '../model/exit.ts';
import type { Refusal } from '../model/problem.ts';
import { type Verdict, verdictAbout, type Verdicts } from '../model/verdict.ts';
import { idKey } from '../util/id-key.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import { diskProblem } from './disk-problem.ts';
import { whoJudges } from './judge-posts.ts';
import { type Runtime, timestamp } from './runtime.ts';

export interface WantedVerdict {
  readonly address: string;
  readonly media: string;
  /** `undecided` takes back what was decided. */
  readonly verdict: Verdict['verdict'] | 'undecided';
  readonly note?: string;
  /** What the file said where this was decided; absent where that does not matter. */
  readonly seen?: Verdict['verdict'] | 'undecided';
}

/**
 * Writes them where nobody else has decided otherwise meanwhile, and gives the others. What the file says already is not
 * written again; a file that is broken stays as it is.
 */
export async function setVerdicts(
  runtime: Pick<Runtime, 'clock' | 'env' | 'disk'>,
  { decisionsFile, workFolder }: Pick<Campaign, 'decisionsFile' | 'workFolder'>,
  wanted: readonly WantedVerdict[],
): Promise<Result<readonly WantedVerdict[], Refusal>> {
  let end: Result<readonly WantedVerdict[], Refusal> = ok([]);
  const change = (text: string | undefined): string | undefined => {
    const found = readDecisions(runtime.disk, decisionsFile);
    if (!found.ok) {
      end = err({ exit: EXIT.invalidManifest, problems: found.error });
      return undefined;
    }
    const { verdicts } = found.value;
    const left = wanted.filter((each) => isJudgedMeanwhile(each, verdicts));
    end = ok(left);
    const free = wanted.filter((each) => !left.includes(each));
    return withVerdicts(runtime, text, { wanted: free, verdicts });
  };
  try {
    await writeDecisions(decisionsFile, change, { workFolder, clock: runtime.clock });
    return end;
  } catch (error) {
    const problem = diskProblem(error);
    if (!problem) throw error;
    return err({ exit: EXIT.cannotWrite, problems: [problem] });
  }
}

interface Deciding {
  readonly wanted: readonly WantedVerdict[];
  readonly verdicts: Verdicts;
}

function withVerdicts(
  runtime: Pick<Runtime, 'clock' | 'env'>,
  text: string | undefined,
  { wanted, verdicts }: Deciding,
): string | undefined {
  const by = whoJudges(runtime.env);
  const taken = wanted.filter(({ verdict }) => verdict === 'undecided').map(({ media }) => idKey(media));
  const added = wanted.flatMap(({ address, media, verdict, note = '' }): Decision[] => {
    const known = verdictAbout(media, verdicts);
    if (verdict === 'undecided' || (known?.verdict === verdict && (known.note ?? '') === note)) return [];
    const said = { ...(note && { note }), ...(by && { by }) };
    return [{ post: address, media, verdict, ...said, at: timestamp(runtime) }];
  });
  const left = text === undefined || !taken.length ? text : removeDecisions(text, new Set(taken));
  return added.length ? addDecisions(left, added) : left;
}

/** What is there already is no conflict: the answer to the first time may have been lost. */
function isJudgedMeanwhile({ media, seen, verdict }: WantedVerdict, verdicts: Verdicts): boolean {
  const now = verdictAbout(media, verdicts)?.verdict ?? 'undecided';
  return seen !== undefined && now !== seen && now !== verdict;
}
