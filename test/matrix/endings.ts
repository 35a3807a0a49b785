/** What a verdict looks like from outside: requests, exit code, state, words; in the run with the fault and in the next. */
import { expect } from 'vitest';
import type { NodeStatus } from '../../src/model/run-state.ts';
import type { Endpoint, RequestKind } from './endpoints.ts';
import type { Verdict } from './expected.ts';
import type { Column, Fault } from './faults.ts';
import { timesPlayed } from './times-played.ts';

export interface Ending {
  readonly requests: number;
  readonly exit: number;
  readonly status: NodeStatus | 'absent';
}

interface Story {
  readonly faulty: Ending;
  readonly after: Ending;
}

/** Attempts of one run, where none succeeds. */
const ATTEMPTS: Readonly<Record<RequestKind, number>> = {
  token: 3,
  create: 3,
  lookup: 3,
  upload: 6,
  update: 6,
  download: 6,
  poll: 6,
  read: 1,
  delete: 6,
};
/** A file that is cut or wrong may be so for a moment. */
const SPOILED_ATTEMPTS = 2;
const REDIRECTS_FOLLOWED = 3;

/** Verdicts that make the next attempt of the same run the last one, if nothing goes wrong any more. */
const REPEATS = new Set<Verdict>([
  'later',
  'again',
  'goes on',
  'not yet',
  'slows down',
  'spoiled',
  'cut',
  'endless',
]);

/** What the state says of a node whose request came to nothing: nothing, or what was there before. */
const UNTOUCHED: Readonly<Partial<Record<RequestKind, NodeStatus>>> = {
  update: 'failed',
  poll: 'pending',
  delete: 'failed',
};

/** The two runs that a cell must consist of. */
export function endingsOf({ kind, story }: Endpoint, fault: Fault, verdict: Verdict): Story {
  const times = timesPlayed(fault, kind);
  const ok = story?.wait === false ? 3 : 0;
  const reached = fault.column !== 'not sent';
  // A request keeps its status: its posts are what they were.
  const untouched =
    story?.prune && story.node.startsWith('media-config/') ? 'done' : (UNTOUCHED[kind] ?? 'absent');
  const end = kind === 'delete' ? 'absent' : 'done';
  const done = (requests: number): Ending => ({ requests, exit: ok, status: end });
  const worked = (requests: number): Story => ({ faulty: done(requests), after: done(0) });
  const stays = (requests: number, exit: number, status: Ending['status'] = untouched): Story => ({
    faulty: { requests, exit, status: kind === 'delete' ? untouched : status },
    after: done(1),
  });
  if (REPEATS.has(verdict) && times !== undefined && fault.means.by === 'order') return worked(times + 1);
  switch (verdict) {
    case 'done':
      return worked(1);
    case 'renewed':
    case 'gone':
      return worked(2);
    case 'gone after all':
      return worked(3);
    case 'gone later':
      return { ...stays(ATTEMPTS[kind], 1), after: done(2) };
    case 'later':
      // What waits for a token is tried until the service counts as down.
      if (kind === 'token' && reached) return stays(expect.any(Number), 69);
      return stays(reached ? ATTEMPTS[kind] : 0, reached && kind !== 'token' ? 3 : 69);
    case 'again':
    case 'goes on':
    case 'not yet':
      return kind === 'lookup' ? stays(ATTEMPTS[kind], 3) : stays(ATTEMPTS[kind], 1, 'failed');
    case 'kept':
      return worked(2);
    case 'spoiled':
    case 'cut':
    case 'endless':
      return stays(SPOILED_ATTEMPTS, 1, 'failed');
    case 'nobody there':
      return stays(ATTEMPTS[kind], 69);
    case 'loops':
      return stays(1 + REDIRECTS_FOLLOWED, 1, 'failed');
    case 'slows down':
      return stays(ATTEMPTS[kind], 3);
    case 'denied':
      return stays(2, 3);
    case 'quota':
      return stays(1, 3);
    case 'refused':
      return stays(1, 1, 'failed');
    case 'fresh link':
      return stays(2, 1, 'failed');
    case 'no key':
      return stays(kind === 'token' ? 1 : 2, 77);
    case 'refused here':
      // Three attempts in two minutes, each with the token in use and with a new one.
      return stays(6, 69);
    case 'no endpoint':
    case 'elsewhere':
      return stays(1, 78);
    case 'no trust':
      return stays(0, 78);
    case 'unknown':
      return {
        faulty: { requests: 1, exit: 4, status: 'unknown' },
        after: { requests: 0, exit: 4, status: 'unknown' },
      };
  }
}

const SUMMARIES: Readonly<Record<Column, string>> = {
  'not sent': 'The service could not be reached',
  'no answer': 'The service did not answer',
  'bad body': 'The answer of the service cannot be used',
  '401 once': 'The service refuses the API key',
  '401': 'The service refuses the API key',
  '429': 'The service asks to slow down',
  'long 429': 'The service asks to slow down',
  '4xx': 'The service refused the request',
  'passing 4xx': 'The service refused the request',
  conflict: 'The service refused the request',
  redirect: 'The service redirects the request',
  '5xx': 'The service failed',
  'proven 5xx': 'The service failed',
  harmless: '',
};

const SILENT: ReadonlySet<Verdict> = new Set(['done', 'renewed', 'gone', 'not yet']);

/** What the user must read about it; nothing where all went well without a second attempt. */
export function wordsOf(fault: Fault, verdict: Verdict, kind: RequestKind): readonly (string | RegExp)[] {
  if (SILENT.has(verdict)) return [];
  if (verdict === 'loops') return [/more than 3 redirects/];
  return [summaryOf(fault.column, verdict, kind), ...(fault.says ? [fault.says] : [])];
}

function summaryOf(column: Column, verdict: Verdict, kind: RequestKind): string | RegExp {
  if (verdict === 'no key') return SUMMARIES['401'];
  if (verdict === 'refused here') return 'The service refused the token';
  if (verdict === 'elsewhere') return 'Something before the service answered';
  if (verdict === 'no endpoint') return 'There is no token endpoint: is the base URL right?';
  if (verdict === 'no trust') return 'There is no trusted connection to the service';
  if (verdict === 'spoiled') return 'The file is no picture and no video';
  if (verdict === 'endless') return 'The file was cut';
  if (verdict === 'denied') return 'It is not deleted';
  if (verdict === 'kept') return 'The file cannot be verified';
  if (verdict === 'nobody there') return SUMMARIES['not sent'];
  // A redirect of a file is followed: what is refused is where it leads.
  if (kind === 'download' && column === 'redirect') return 'The file cannot be fetched';
  if (kind !== 'token' || verdict !== 'later') return SUMMARIES[column];
  const answered = column !== 'not sent' && column !== 'no answer';
  return answered ? 'The service gives no token' : SUMMARIES['not sent'];
}
