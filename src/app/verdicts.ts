/** What people have decided about posts, held against the state. */
import { EXIT } from '../model/exit.ts';
import type { Problem, Refusal } from '../model/problem.ts';
import type { RunState } from '../model/run-state.ts';
import { count } from '../util/count.ts';
import { idKey } from '../util/id-key.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign } from './campaign.ts';
import type { Runtime } from './runtime.ts';

/** Refused where a verdict is about a medium that this state never had: it may belong to another campaign. */
export function checkVerdicts(
  { emit }: Pick<Runtime, 'emit'>,
  { decisions: { verdicts, quote, file } }: Pick<Campaign, 'decisions'>,
  { media, gone }: RunState,
): Result<void, Refusal> {
  if (verdicts.size === 0) return ok(undefined);
  if (media.size === 0 && gone.size === 0) {
    const summary = `${file} has ${count(verdicts.size, 'verdict')}, and the state has no post yet: none has an effect`;
    emit({ type: 'warning', summary });
    return ok(undefined);
  }
  const made = [...media.values()].flatMap(({ takes }) => takes.flatMap(({ result }) => result?.id ?? []));
  const known = new Set([...made, ...gone].map(idKey));
  const problems = [...verdicts].flatMap(([medium, { source }]): Problem[] => {
    if (known.has(medium)) return [];
    const detail = `The state has no medium ${medium}. Correct the id (\`campaign outputs --json\` has it as media_id), or remove this verdict.`;
    return [{ code: 'unknown-medium', summary: 'Unknown medium', detail, source, ...quote(source) }];
  });
  return problems.length ? err({ exit: EXIT.invalidManifest, problems }) : ok(undefined);
}
