import { createAccounts } from '../app/account.ts';
import type { Campaign, CampaignSource } from '../app/campaign.ts';
import { type CampaignStatus, statusOf } from '../app/campaign-status.ts';
import { followCampaign } from '../app/follow-campaign.ts';
import { EXIT, strongestExit } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import type { StopSignal } from '../engine/stopping.ts';
import { diagnosticText } from '../render/diagnostic-text.ts';
import { problemText } from '../views/cause-words.ts';
import { createStatusScreen, type StatusView } from '../render/status-live.ts';
import type { Result } from '../util/result.ts';
import { lookAgain } from './look-again.ts';
import { namesOf, type Output, tell } from './output.ts';
import { type CommandEnd, readerOf, type Session, sourceFor } from './session.ts';
import { statusJson, statusPage } from './show-status.ts';
import { stopOnSignals } from './signals.ts';
import { isCi, showsUnicode } from './terminal.ts';

/** Between two looks; and so many times as long as a look takes, so that a large campaign keeps a fifth of a core busy. */
const PAUSE = { ms: 250, factor: 4 };

/** What one look found of a manifest. */
interface Seen {
  readonly file: string;
  readonly found: Result<CampaignStatus, Refusal>;
  /** Of a state that is in no file: what it was, at the latest, when it was read. */
  readonly version: string | undefined;
  /** Absent where the manifest cannot be read. */
  readonly store: Campaign['store'] | undefined;
}

/** Shows the status again whenever it changes, until a signal ends it. It takes no lock. */
export async function watchStatus(files: readonly string[], session: Session): CommandEnd {
  const { output, runtime } = session;
  const isJson = output.mode === 'json';
  if (!isJson && !canDraw(runtime.env)) return noTerminal();
  const sources: CampaignSource[] = [];
  for (const file of files) {
    const source = await sourceFor(session, file);
    if (!source.ok) return source.error;
    sources.push(source.value);
  }
  const show = isJson ? jsonLines(session) : await onTerminal(session);
  const { look, close } = lookerAt(sources, session, show.warn);
  try {
    const first = await look();
    const refusals = first.flatMap(({ found }) => (found.ok ? [] : [found.error]));
    if (refusals.length < files.length) return await untilStopped(first, { session, look, show });
    show.close();
    return strongestExit(refusals.map((each) => tell(each, output)));
  } finally {
    await close();
  }
}

interface Shown {
  readonly show: (seen: readonly Seen[]) => void;
  readonly warn: (text: string) => void;
  readonly close: () => void;
}

interface Watching {
  readonly session: Session;
  readonly look: () => Promise<readonly Seen[]>;
  readonly show: Shown;
}

async function untilStopped(first: readonly Seen[], { session, look, show }: Watching): CommandEnd {
  const stop = stopOnSignals();
  try {
    await lookAgain(first, {
      clock: session.runtime.clock,
      stop: orClosed(process.stdout, stop),
      files: watchedFiles(first),
      look,
      show: show.show,
      isAsSeen: isRunningAsSeen,
      pause: PAUSE,
    });
    return stop.exit ?? EXIT.ok;
  } finally {
    stop.release();
    show.close();
  }
}

/** A reader that has gone is a reason to end, too. */
function orClosed(stream: NodeJS.WriteStream, stop: StopSignal): StopSignal {
  return {
    get level() {
      return stream.destroyed ? 'now' : stop.level;
    },
    onChange(listener) {
      const release = stop.onChange(listener);
      stream.once('error', listener);
      return () => {
        release();
        stream.off('error', listener);
      };
    },
  };
}

/** A run that ends releases its lock after its last record, so the state alone does not tell. */
async function isRunningAsSeen(seen: readonly Seen[]): Promise<boolean> {
  for (const { found, version, store } of seen) {
    if (!store) continue;
    // What was wrong with a database may be over, although nothing was recorded meanwhile.
    if (!found.ok && store.version) return false;
    if (found.ok && (await store.holder()) !== found.value.running) return false;
    if ((await store.version?.()) !== version) return false;
  }
  return true;
}

function watchedFiles(seen: readonly Seen[]): string[] {
  return seen.flatMap(({ file, found }) =>
    found.ok ? [file, found.value.campaign.store.name, found.value.campaign.decisionsFile] : [file],
  );
}

function lookerAt(sources: readonly CampaignSource[], session: Session, warn: (text: string) => void) {
  const told = new Set<string>();
  const quiet = session.following((event) => {
    if (event.type !== 'warning') return;
    const text = problemText(event);
    if (!told.has(text)) warn(text);
    told.add(text);
  });
  const files = sources.map(({ file }) => file);
  const followed = sources.map((source) => ({
    file: source.file,
    ...followCampaign(quiet.runtime, source),
  }));
  const look = async (): Promise<readonly Seen[]> => {
    const accounts = createAccounts(quiet.runtime, files, readerOf(session));
    const seen: Seen[] = [];
    for (const { file, now } of followed) {
      const following = await now();
      const store = following.ok ? following.value.campaign.store : undefined;
      const version = await store?.version?.();
      const found = following.ok
        ? await statusOf(quiet.runtime, following.value.campaign, {
            accounts,
            nodes: 'none',
            following: following.value,
          })
        : following;
      seen.push({ file, found, version, store });
    }
    return seen;
  };
  const close = async () => void (await Promise.all(followed.map((each) => each.close())));
  return { look, close };
}

async function onTerminal({ output: { style }, runtime }: Session): Promise<Shown> {
  const screen = createStatusScreen({
    stream: process.stdout,
    style,
    isUnicode: showsUnicode(runtime.env),
  });
  const viewOf = ({ file, found }: Seen): StatusView =>
    found.ok
      ? (room) => statusPage(found.value, room)
      : () => [
          file,
          ...found.error.problems.flatMap((problem) => diagnosticText(problem, style).trimEnd().split('\n')),
        ];
  return {
    show: (seen) => screen.show(seen.map(viewOf)),
    warn: (text) => screen.print(`  ${style.yellow('!')} ${text}`),
    close: () => screen.close(),
  };
}

/** A line for each manifest whose status is another than before. */
function jsonLines(session: Session): Shown {
  const before = new Map<string, string>();
  const isSeveral = session.args.length > 1;
  const outputFor = (file: string): Output =>
    session.about({ manifest: file }, isSeveral ? 'always' : 'quiet').output;
  return {
    show(seen) {
      for (const { file, found } of seen) {
        const value = found.ok ? statusJson(found.value) : found.error.problems;
        const text = JSON.stringify(value);
        if (before.get(file) === text) continue;
        before.set(file, text);
        const output = outputFor(file);
        if (found.ok) output.about(namesOf(found.value.campaign.manifest)).json(statusJson(found.value));
        else output.problems(found.error.problems);
      }
    },
    warn: (text) => session.output.progress(`  ! ${text}\n`),
    close: () => {},
  };
}

function canDraw(env: Session['runtime']['env']): boolean {
  return process.stdout.isTTY && !isCi(env) && env['TERM'] !== 'dumb';
}

function noTerminal(): Refusal {
  const detail =
    '--watch draws the status again and again, and standard output is no terminal (or CI is set). With --json it prints a line for each change; `campaign wait` waits until all is there.';
  return refusal(EXIT.usage, { code: 'no-terminal', summary: 'No terminal to draw on', detail });
}
