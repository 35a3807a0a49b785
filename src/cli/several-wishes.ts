import { type PlanWishes, wishesOf } from '../app/plan-wishes.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { PlanOptions } from './options.ts';
import { readerOf, type Session } from './session.ts';

/** What the flags of plan and apply wish; with several manifests, each glob has to be about one of them. */
export async function wishesFor(
  session: Session<PlanOptions>,
  files: readonly string[],
): Promise<Result<PlanWishes, Refusal>> {
  const wishes = wishesOf(session.options);
  if (wishes.maxDeletes !== undefined && !wishes.prune) return err(nothingDeleted());
  const { only, exclude, replace, retryFailed = '*' } = wishes;
  const isNaming = only.length || exclude.length || replace.length || retryFailed !== '*';
  if (files.length < 2 || !isNaming) return ok(wishes);
  const { wishesForNone } = await import('../app/wishes-among.ts');
  const mistyped = await wishesForNone(session.runtime, files, { read: readerOf(session), wishes });
  return mistyped ? err(mistyped) : ok({ ...wishes, among: 'several' });
}

function nothingDeleted(): Refusal {
  const detail =
    '--max-deletes limits what --prune deletes, and without --prune nothing is deleted. Say --prune, too, or leave it out.';
  return refusal(EXIT.usage, { code: 'max-deletes-alone', summary: 'Nothing would be deleted', detail });
}
