import { EXIT, type ExitCode } from '../model/exit.ts';
import { acceptInputs } from '../plan/accept.ts';
import { makePlan } from '../plan/make-plan.ts';
import { unmatchedGlobs } from '../plan/select.ts';
import { matchesGlob } from '../util/match-glob.ts';
import { type ChangeOptions, changeState } from '../app/change-state.ts';
import { noMatch } from '../app/plan-campaign.ts';
import { recordRun } from '../app/record-run.ts';

/** `campaign state accept`: takes the present inputs as done, sending nothing; renames are recorded with it. */
export function stateAccept(
  { file, globs }: { file: string; globs: readonly string[] },
  options: ChangeOptions,
): Promise<ExitCode> {
  const command = ['state accept', ...globs].join(' ');
  return changeState(
    { file, command },
    options,
    async ({ campaign: { graph, manifest }, open, output, at }) => {
      const [unmatched] = unmatchedGlobs(graph, open.state, globs);
      if (unmatched !== undefined) return noMatch(unmatched);
      const accepts = (address: string) => !globs.length || globs.some((glob) => matchesGlob(glob, address));
      const { moves } = makePlan({
        graph,
        state: open.state,
        outputs: manifest.outputs,
        replacements: 'hold',
        now: Date.now(),
      });
      const events = acceptInputs(graph, open.state, { accepts, at });
      const all = [...moves.map(({ from, to }) => ({ type: 'moved' as const, at, from, to })), ...events];
      if (all.length) await recordRun(open.recorder, all, at);
      const addresses = events.map(({ address }) => address);
      if (output.mode === 'json') output.json({ accepted: addresses });
      else if (addresses.length) {
        output.result(
          addresses.map((address) => `${output.style.green('✓')} ${address} accepted\n`).join(''),
        );
      } else output.result('Nothing to accept: what exists is what the manifest asks for.\n');
      return EXIT.ok;
    },
  );
}
