import type { SharedOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { stopOnSignals } from '../cli/signals.ts';
import { EXIT } from '../model/exit.ts';
import { refusal } from '../model/problem.ts';
import { openDatabase } from '../store/open-store.ts';
import { problemText } from '../views/cause-words.ts';
import { count } from '../util/count.ts';
import { isDatabaseUrl } from '../util/database-url.ts';
import { namedStorage, openObjects } from '../app/open-storage.ts';
import type { WorkerEvent } from '../app/work-runs.ts';

interface WorkerOptions extends Pick<SharedOptions, 'state' | 'json'> {
  readonly files?: string;
  readonly slots?: number;
}

const SLOTS = 8;

/** Takes part in runs until it is stopped by a signal. */
export async function worker({ options, runtime }: Session<WorkerOptions>): CommandEnd {
  const { env } = runtime;
  const named = options.state || env['CAMPAIGN_STATE'];
  if (!named || !isDatabaseUrl(named)) return NO_DATABASE;
  const opened = openDatabase(named, env);
  if (!opened.ok) return refusal(opened.error.exit, opened.error);
  const { name, takeSeat } = opened.value;
  const slots = options.slots ?? SLOTS;
  const tell = (event: WorkerEvent) => {
    if (options.json) process.stdout.write(`${JSON.stringify(jsonOf(event, { name, slots }))}\n`);
    else process.stderr.write(`${wordsOf(event, { name, slots })}\n`);
  };
  const url = namedStorage(runtime, options);
  const objects = url === undefined ? undefined : await openObjects(runtime, url);
  if (objects && !objects.ok) return objects.error;
  const storage = url !== undefined && objects ? { url, objects: objects.value } : undefined;
  const { workRuns } = await import('../app/work-runs.ts');
  const stop = stopOnSignals();
  try {
    await workRuns(runtime, { seat: await takeSeat(), slots, storage, stop, tell });
    // Being stopped is how it ends.
    return EXIT.ok;
  } finally {
    stop.release();
    storage?.objects.close();
  }
}

interface About {
  readonly name: string;
  readonly slots: number;
}

function jsonOf(event: WorkerEvent, { name, slots }: About): object {
  if (event.type === 'ready') return { ...event, state: name, slots };
  if (event.type !== 'waiting') return event;
  const { code, summary, detail } = event.problem;
  return { type: event.type, code, summary, detail };
}

function wordsOf(event: WorkerEvent, { name, slots }: About): string {
  switch (event.type) {
    case 'ready':
      return `${name}: ready, ${count(slots, 'node')} at once. Ctrl-C hands back what it has begun and ends it.`;
    case 'waiting':
      return `  ! ${problemText(event.problem)} It is tried again.`;
    case 'joined':
      return `  takes part in run ${event.run}: ${event.campaign}, ${event.environment}`;
    case 'left':
      return `  run ${event.run}: ended, or left to others`;
  }
}

const NO_DATABASE = refusal(EXIT.usage, {
  code: 'no-database-named',
  summary: 'No database with runs',
  detail: 'Name it with --state postgres://USER@HOST/DATABASE, or with CAMPAIGN_STATE.',
});
