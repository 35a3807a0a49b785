/** The log of a shared run, with what its records mean for the nodes and jobs of the run. */
import { fold } from '../../log/fold.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import type { Address } from '../../model/address.ts';
import { beginCreates, begunCreates } from './begin-creates.ts';
import type { JobClaims } from './job-claims.ts';
import type { Joining, Means } from './joining.ts';
import type { Patiently } from './patience.ts';
import { queueOf } from './queue.ts';
import { reopenNodes } from './reopen-nodes.ts';
import { settleNodes } from './settle-nodes.ts';
import { SharedLog } from './shared-log.ts';
import type { createTeller } from './told-events.ts';

interface Parts {
  readonly means: Means;
  readonly joining: Joining;
  readonly patiently: Patiently;
  readonly claims: JobClaims;
  readonly teller: ReturnType<typeof createTeller>;
  /** Gets nodes of this process that have ended with an event of theirs. */
  readonly ended: (address: Address) => void;
}

export function createRunLog({ means, joining, patiently, claims, teller, ended }: Parts): SharedLog {
  const { campaign, run, runId, chain, header, clock, state, runs } = joining;
  const { lineage, seq: base } = header;
  const { boundAt } = joining;
  const seen = (last: RecordPlace) => joining.seen.see({ lineage, last, boundAt });
  seen(chain);
  return new SharedLog({
    connection: means.writing,
    campaign,
    run,
    runId,
    chain,
    base,
    seen,
    clock,
    patiently,
    taken(record, crc) {
      fold(state, record.event);
      runs.add(record, crc);
    },
    begin: (query, intents) =>
      beginCreates({ query, run, queue: queueOf(run) }, intents, (address) => claims.of([address])[0]),
    begun: (query, addresses) => begunCreates({ query, run }, addresses),
    settle: async (query, events, more) => {
      const { done, late } = await settleNodes({ query, run, state }, events);
      if (late.length > 0) await reopenNodes({ query, run, boss: means.boss }, late);
      await claims.complete(query, done);
      for (const address of done) if (claims.has(address)) ended(address);
      for (const work of more) await work(query);
      await teller.write(query);
    },
    settled: () => {
      teller.written();
      claims.release();
    },
  });
}
