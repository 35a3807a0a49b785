import { EMULATOR } from '../model/emulator.ts';
import { kindHas } from '../model/kinds.ts';
import type { Recorder } from '../model/step.ts';
import type { PlannedRun } from './run-nodes.ts';

/**
 * The recorder of a run that this process carries out alone. In a database it counts what it spends where the shared runs of
 * its account count, before a request leaves.
 */
export async function countedAlone({
  campaign,
  plan,
  recorder,
  apiKey,
  parallel,
}: PlannedRun): Promise<Recorder> {
  const { environment } = campaign.manifest;
  const isPaying = plan.nodes.listed.some((node) => kindHas(node, 'stored', 'request'));
  if (!parallel?.count || !isPaying || environment.baseUrl === EMULATOR) return recorder;
  const { accountIdOf } = await import('./run-spec.ts');
  const ledger = await parallel.count(accountIdOf(environment, apiKey), parallel.budget());
  return {
    get state() {
      return recorder.state;
    },
    async append(events) {
      await ledger.before(events);
      await recorder.append(events);
      await ledger.after(events);
    },
    note: (events) => recorder.note(events),
  };
}
