import type { Command } from 'commander';
import type { ServiceSettings } from '../app/connect-service.ts';
import { createRuntime } from '../app/create-runtime.ts';
import { type Accounts, createAccounts } from '../app/account.ts';
import { DEFAULT_MANIFEST, findManifests } from '../app/find-manifests.ts';
import type { Campaign, CampaignSource } from '../app/campaign.ts';
import type { AppEvent, Runtime } from '../app/runtime.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { isDatabaseUrl } from '../util/database-url.ts';
import { problemText } from '../views/cause-words.ts';
import { ok, type Result } from '../util/result.ts';
import { createAnnotations, isOnGithub } from './github.ts';
import type { SharedOptions } from './options.ts';
import type { Listener, Subject } from './listener.ts';
import { createOutput, type Heads, type Output, tell } from './output.ts';
import { targetWords } from './target.ts';
import { readStdin } from './read-stdin.ts';
import { readVariables } from './variables.ts';
import { legible } from './terminal.ts';

export interface Invocation<Options> {
  readonly args: readonly string[];
  readonly options: Options;
  readonly misuse: Command['error'];
}

export interface Session<Options = SharedOptions> extends Invocation<Options> {
  readonly output: Output;
  readonly runtime: Runtime;
  /** The same session with outputs that name what is worked on. */
  readonly about: (subject: Subject, heads?: Heads, among?: number) => Session<Options>;
  /** The same session with outputs that tell this listener, too. */
  readonly heardBy: (listener: Listener) => Session<Options>;
  /** A session for a command that needs its own connection to the service, or all events. */
  readonly following: (follow: (event: AppEvent) => void, settings?: ServiceSettings) => Session<Options>;
}

export type CommandEnd = Promise<ExitCode | Refusal>;

export async function runVerb(
  run: (session: Session<never>) => CommandEnd,
  call: Invocation<unknown>,
): Promise<ExitCode> {
  const options = call.options as SharedOptions & { readonly format?: string };
  const wanted = withFormat(options);
  const annotations = isOnGithub(process.env)
    ? createAnnotations(process.env, (line) =>
        process.stderr.write(legible(process.stderr, process.env)(line)),
      )
    : undefined;
  const output = createOutput(wanted, {}, annotations ? { listeners: [annotations.hear] } : {});
  try {
    // Which options a command has is known to its flags and its code, and to no type in between.
    return tell(await run(sessionOf(call, output) as Session<never>), output);
  } finally {
    annotations?.close();
  }
}

/** `--format json` means the same as `--json`; `--format text` is text all the same. */
function withFormat(options: SharedOptions & { readonly format?: string }): SharedOptions {
  if (options.format === 'json') return { ...options, json: true };
  if (options.format !== 'text') return options;
  const { json: _, ...others } = options;
  return others;
}

function sessionOf(
  call: Invocation<unknown>,
  output: Output,
  runtime = createRuntime({ emit: tellWatcher(output) }),
): Session<unknown> {
  return {
    ...call,
    output,
    runtime,
    about: (...subject) => sessionOf(call, output.about(...subject)),
    heardBy: (listener) => sessionOf(call, output.heardBy(listener)),
    following(follow, settings) {
      const emit = (event: AppEvent) => {
        output.hear(event);
        follow(event);
      };
      return sessionOf(call, output, createRuntime({ ...settings, emit }));
    },
  };
}

/** Shows the events of a command that sends nothing. */
function tellWatcher(output: Output): (event: AppEvent) => void {
  return (event) => {
    output.hear(event);
    if (event.type === 'warning') output.progress(`  ! ${problemText(event)}\n`);
    else if (event.type === 'diagnostic') output.problems([event]);
    else if (event.type === 'unrecorded') process.stderr.write(event.lines);
    else if (event.type === 'reading') tellReading(event, output);
  };
}

const SHOW_AFTER_MS = 1_000;

export function tellReading(
  { what, done, total, ms }: Extract<AppEvent, { type: 'reading' }>,
  { mode, isQuiet, progress }: Output,
): void {
  if (!process.stderr.isTTY || mode === 'json' || isQuiet || ms < SHOW_AFTER_MS) return;
  progress(done < total ? `\r  ${what} ${done}/${total}` : `\r${' '.repeat(40)}\r`);
}

export async function loadFor(
  session: Session,
  file = DEFAULT_MANIFEST,
  need: CampaignSource['need'] = 'environment',
): Promise<Result<Campaign, Refusal>> {
  const source = await sourceFor(session, file, need);
  return source.ok ? load(session.runtime, source.value) : source;
}

/** As `loadFor`, without photos, product folders and tables, for commands about what was requested before. */
export async function loadUnread(
  session: Session,
  file = DEFAULT_MANIFEST,
): Promise<Result<Campaign, Refusal>> {
  const source = await sourceFor(session, file);
  return source.ok ? load(session.runtime, { ...source.value, inputs: 'unread' }) : source;
}

/** Its code comes with the readers of YAML and schemas, which a run that has nothing to do never needs. */
export async function load(runtime: Runtime, source: CampaignSource): Promise<Result<Campaign, Refusal>> {
  const { loadCampaign } = await import('../app/load-campaign.ts');
  return loadCampaign(runtime, source);
}

export async function sourceFor(
  { options, runtime, output }: Session,
  file: string,
  need: CampaignSource['need'] = 'environment',
): Promise<Result<CampaignSource, Refusal>> {
  const variables = await readVariables(options, runtime.clock);
  if (!variables.ok) return variables;
  output.hear({ type: 'variables', given: variables.value });
  const input = await readStdin(file);
  if (!input.ok) return input;
  if (input.value) output.hear({ type: 'input', text: input.value.toString() });
  return ok({
    file,
    input: input.value,
    need,
    environment: options.env,
    state: options.state,
    files: typeof options.files === 'string' ? options.files : undefined,
    variables: variables.value,
    outside: options.allowOutside ? 'allow' : 'refuse',
    at: options.at,
    target: targetWords(file, options),
  });
}

/** The manifests for the arguments; a flag that names one file cannot be used with several. */
export async function manifestsOf({
  args,
  options,
  runtime,
}: Session<SharedOptions & { plan?: string; out?: string }>): Promise<Result<readonly string[], Refusal>> {
  const files = await findManifests(args);
  if (!files.ok || files.value.length < 2) return files;
  const state = options.state || runtime.env['CAMPAIGN_STATE'];
  // A database has the states of many campaigns.
  const file = state && !isDatabaseUrl(state) ? state : undefined;
  const given = { '--plan': options.plan, '--out': options.out, '--state': file };
  const flag = Object.entries(given).find(([, value]) => value !== undefined)?.[0];
  return flag === undefined ? files : { ok: false, error: oneManifest(flag) };
}

export function oneManifest(flag: string): Refusal {
  const detail = `${flag} belongs to one campaign: name one manifest.`;
  return refusal(EXIT.usage, { code: 'one-manifest', summary: 'Too many manifests', detail });
}

/** The manifests of a command share what they may spend where they use one account. */
export function accountsOf(session: Session, files: readonly string[]): Accounts {
  return createAccounts(session.runtime, files, readerOf(session));
}

/** Reads a manifest without a word about it: it has its turn, or is shown, elsewhere. */
export function readerOf(session: Session): (file: string) => Promise<Result<Campaign, Refusal>> {
  const quiet = session.following(() => undefined);
  return (file) => loadFor(quiet, file);
}
