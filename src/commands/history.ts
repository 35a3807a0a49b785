import { readAttempts } from '../app/attempt-notes.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { showState } from '../cli/show-state.ts';
import { EXIT } from '../model/exit.ts';
import { type Refusal, refusal } from '../model/problem.ts';
import type { RunSummary } from '../model/run-summary.ts';
import { historyJson, historyText } from '../render/history-text.ts';
import { runDetailJson, runDetailText } from '../render/run-detail-text.ts';
import { err, ok, type Result } from '../util/result.ts';
import { createRunDetails } from '../views/run-detail.ts';
import { createTimelines } from '../views/timelines.ts';

interface HistoryOptions extends SharedOptions {
  /** How many runs are shown. */
  readonly last?: number;
}

/** The beginning of a run's id. A manifest of such a name is given as `./cafe`. */
const RUN = /^[\da-f][\da-f-]{3,}$/;

export function history(session: Session<HistoryOptions>): CommandEnd {
  const { args, options, output } = session;
  const given = args.filter((arg) => arg !== undefined);
  const run = given.find((arg) => RUN.test(arg));
  const file = given.find((arg) => arg !== run);
  if (run !== undefined) return oneRun(session, file, run);
  if (given.length > 1) return Promise.resolve(unknownRun(given[1] ?? ''));
  return showState(session, file, async ({ runs }, { store }) => {
    const isHeld = output.mode === 'text' && (await store.holder()) !== undefined;
    const shown = runs.slice(-(options.last ?? runs.length));
    output.answer(historyJson(shown), historyText(shown, isHeld, output.columns));
  });
}

function oneRun(session: Session<HistoryOptions>, file: string | undefined, prefix: string): CommandEnd {
  const { output } = session;
  const details = createRunDetails(prefix);
  const timelines = createTimelines();
  return showState(
    session,
    file,
    async ({ runs }, campaign) => {
      const { store, manifest } = campaign;
      const found = findRun(runs, prefix);
      if (!found.ok) return found.error;
      const { currency } = manifest.budget ?? {};
      const running = found.value === runs.at(-1) && (await store.holder()) !== undefined;
      const now = running ? session.runtime.clock.now() : undefined;
      const [timeline] = timelines.of([found.value], await readAttempts(campaign), now);
      const detail = { ...details.of(found.value.run), time: timeline };
      const text = runDetailText(found.value, detail, { running, currency, columns: output.columns });
      output.answer(runDetailJson(found.value, detail, currency), text);
      return undefined;
    },
    (record) => {
      details.visit(record);
      if (record.run.startsWith(prefix)) timelines.visit(record);
    },
  );
}

function findRun(runs: readonly RunSummary[], prefix: string): Result<RunSummary, Refusal> {
  const [found, ...others] = runs.filter(({ run }) => run.startsWith(prefix));
  if (!found) return err(unknownRun(prefix));
  if (!others.length) return ok(found);
  const detail = `${[found, ...others].map(({ run }) => run).join(', ')} begin with ${prefix}: write more of the one that you mean.`;
  return err(refusal(EXIT.usage, { code: 'ambiguous-run', summary: 'Several runs are meant', detail }));
}

function unknownRun(run: string): Refusal {
  const detail = `No run of this state has an id that begins with ${run}. \`campaign history\` lists the runs with their ids.`;
  return refusal(EXIT.usage, { code: 'unknown-run', summary: 'No such run', detail });
}
