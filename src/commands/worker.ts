import { setFlagsFromString } from 'node:v8';
import { bugIn } from '../cli/crash-report.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { stopOnSignals } from '../cli/signals.ts';
import { EXIT } from '../model/exit.ts';
import type { NodeKind } from '../model/kinds.ts';
import { type Problem, refusal } from '../model/problem.ts';
import { openDatabase } from '../store/open-store.ts';
import { problemText } from '../views/cause-words.ts';
import { count } from '../util/count.ts';
import { isDatabaseUrl } from '../util/database-url.ts';
import { namedStorage, openObjects } from '../app/open-storage.ts';
import type { WorkerEvent } from '../app/work-runs.ts';

interface WorkerOptions extends Pick<SharedOptions, 'state' | 'json'> {
  readonly files?: string;
  readonly slots?: number;
  readonly kinds?: readonly NodeKind[];
}

const SLOTS = 8;
/** By default V8 lets a heap grow to four times of what is in use before it frees the rest, for as long as a worker lives. */
const SMALL_HEAP = '--heap-growing-percent=50';

/** Takes part in runs until it is stopped by a signal. */
export async function worker({ options, runtime }: Session<WorkerOptions>): CommandEnd {
  setFlagsFromString(SMALL_HEAP);
  const { env } = runtime;
  const named = options.state || env['CAMPAIGN_STATE'];
  if (!named || !isDatabaseUrl(named)) return NO_DATABASE;
  const opened = openDatabase(named, env);
  if (!opened.ok) return refusal(opened.error.exit, opened.error);
  const { name, takeSeat } = opened.value;
  const { kinds, slots = SLOTS } = options;
  const about = { name, slots, kinds };
  const tell = (event: WorkerEvent) => {
    // Lines of a log are no event: whoever saves what the worker says has both.
    if (event.type === 'unrecorded') process.stderr.write(event.lines);
    else if (options.json) process.stdout.write(`${JSON.stringify(jsonOf(event, about))}\n`);
    else process.stderr.write(`${wordsOf(event, about)}\n`);
  };
  const url = namedStorage(runtime, options);
  const objects = url === undefined ? undefined : await openObjects(runtime, url);
  if (objects && !objects.ok) return objects.error;
  const storage = url !== undefined && objects ? { url, objects: objects.value } : undefined;
  const { workRuns } = await import('../app/work-runs.ts');
  const stop = stopOnSignals();
  try {
    await workRuns(runtime, { seat: await takeSeat(), slots, kinds, storage, stop, tell, bug: bugTeller() });
    // Being stopped is how it ends.
    return EXIT.ok;
  } finally {
    stop.release();
    storage?.objects.close();
  }
}

/** A bug in the share of one run is no reason to leave the others; there is one report of each. */
function bugTeller(): (error: unknown) => Problem {
  const told = new Map<string, Problem>();
  return (error) => {
    const { line, advice } = bugIn(error);
    const before = told.get(line);
    if (before) return before;
    const detail = `${line}. The state is intact; update first. ${advice().trim()}`;
    const problem = { code: 'bug', summary: 'campaign has a bug', detail };
    told.set(line, problem);
    return problem;
  };
}

interface About {
  readonly name: string;
  readonly slots: number;
  readonly kinds: readonly NodeKind[] | undefined;
}

type Told = Exclude<WorkerEvent, { type: 'unrecorded' }>;

function jsonOf(event: Told, { name, slots, kinds }: About): object {
  if (event.type === 'ready') return { ...event, state: name, slots, ...(kinds && { kinds }) };
  if (event.type !== 'waiting') return event;
  const { type, run, problem } = event;
  const { code, summary, detail } = problem;
  return { type, ...(run !== undefined && { run }), code, summary, detail };
}

function wordsOf(event: Told, { name, slots, kinds }: About): string {
  switch (event.type) {
    case 'ready':
      return `${name}: ready, ${count(slots, 'node')} at once${kinds ? `, only ${kinds.join(', ')}` : ''}. Ctrl-C hands back what it has begun and ends it.`;
    case 'waiting':
      return `  ! ${problemText(event.problem)} It is tried again.`;
    case 'taken-in':
      return `  ${event.summary}`;
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
