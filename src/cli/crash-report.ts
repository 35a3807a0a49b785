/** Writes the report about a bug: a file for an issue, without secrets and without the home folder in paths. */
import { existsSync, lstatSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { createSecrets } from '../service/secrets.ts';
import { version } from '../app/package-info.ts';
import { passwordIn, withoutPasswords } from '../util/database-url.ts';
import { namedKeys, readText } from './key-variables.ts';

interface Crashed {
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  readonly at: string;
}

/** The bug in a line; `advice` writes the report of it, and says what to do with that. */
export function bugIn(error: unknown): { readonly line: string; readonly advice: () => string } {
  const at = new Date().toISOString();
  const crashed = { args: process.argv.slice(2), env: process.env, cwd: presentFolder(), at };
  const { line, text } = crashReport(error, crashed);
  return {
    line,
    advice() {
      const file = writeCrashFile(text, crashed);
      return file === undefined
        ? `Please report it with this:\n\n${text}`
        : `Please report it and attach ${file}; it was written without secrets, but look at it first.\n`;
    },
  };
}

function presentFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** The bug in a line, and the report as text; only files that hold a key or name its variable are read. */
export function crashReport(error: unknown, crashed: Crashed): { line: string; text: string } {
  const { args, at } = crashed;
  const clean = withoutSecrets(crashed);
  const report = {
    format_version: '1.0',
    at,
    campaign: version,
    node: process.version,
    platform: `${process.platform} ${process.arch} ${os.release()}`,
    command: withoutValues(args),
    error: errorChain(error),
  };
  // Each text is converted by itself: in a text that is JSON already, secrets would be hidden behind a second escape.
  const text = JSON.stringify(
    report,
    (_, value: unknown) => (typeof value === 'string' ? clean(value) : value),
    2,
  );
  const [line = ''] = clean(String(error)).split('\n');
  return { line, text: `${text}\n` };
}

/** Writes the report beside the state or, if that fails, into a temporary folder; returns its path. */
export function writeCrashFile(text: string, crashed: Crashed): string | undefined {
  const name = `crash-${crashed.at.replaceAll(':', '-')}.json`;
  for (const folder of [() => workFolder(crashed), () => mkdtempSync(path.join(os.tmpdir(), 'campaign-'))]) {
    try {
      const file = path.join(folder(), name);
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      return file;
    } catch {
      // The next folder is tried; without any, the report goes to standard error.
    }
  }
  return undefined;
}

/** `.campaign/` beside the manifest of the command, or in the current folder. */
function workFolder({ args, cwd }: Crashed): string {
  const named = args.filter((arg) => !arg.startsWith('-')).map((arg) => path.resolve(cwd, arg));
  const folders = named.filter(existsSync).map((at) => (statSync(at).isDirectory() ? at : path.dirname(at)));
  const work = [...folders, cwd].map((folder) => path.join(folder, '.campaign')).find(isFolder);
  if (work === undefined) throw new Error('no work folder');
  return work;
}

/** A link to a folder does not count, because nothing is written through a link. */
function isFolder(at: string): boolean {
  return lstatSync(at, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Variables of a campaign may hold anything. */
function withoutValues(args: readonly string[]): string[] {
  return args.map((arg, index) =>
    args[index - 1] === '--var' ? arg.replace(/=.*$/s, '=...') : arg.replace(/^(--var=[^=]*)=.*$/s, '$1=...'),
  );
}

const LONGEST_CHAIN = 5;

function errorChain(error: unknown): object[] {
  const chain: object[] = [];
  let one = error;
  for (; one instanceof Error && chain.length < LONGEST_CHAIN; one = one.cause)
    chain.push({ name: one.name, message: one.message, stack: one.stack?.split('\n').slice(1) ?? [] });
  if (one !== undefined && chain.length < LONGEST_CHAIN) chain.push({ message: inspect(one) });
  return chain;
}

const SECRET_NAME = /KEY|TOKEN|SECRET|PASS|AUTH|CREDENTIAL|PROXY/i;
const TOKENS = /eyJ[\w-]+\.[\w-]+\.[\w-]*|(?<=Bearer )\S+/g;

/** Removes values of variables that may hold a secret, and what looks like a token; paths lose the home folder. */
function withoutSecrets({ args, env, cwd }: Crashed): (text: string) => string {
  const places = [...args.filter((arg) => !arg.startsWith('-')), '.'];
  const named = namedKeys(places.map((place) => path.resolve(cwd, place)));
  const values = Object.entries(env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) || named.has(name) || looksRandom(value) ? [value, value.trim()] : [],
  );
  const file = env['CAMPAIGN_API_KEY_FILE'];
  const kept = file ? readText(file).trim() : '';
  const passwords = [...args, ...Object.values(env)].map((text) => passwordIn(text ?? ''));
  const secrets = createSecrets([...values, kept, ...passwords].filter(Boolean));
  const home = env['HOME'];
  return (text) => {
    const redacted = withoutPasswords(secrets.redact(text)).replaceAll(TOKENS, '[redacted]');
    return home && home.length > 1 ? redacted.replaceAll(home, '~') : redacted;
  };
}

/** For a manifest that could not even be found: what looks like a key counts as one. */
function looksRandom(value: string): boolean {
  return value.length >= 12 && /^[\w.~+=-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value);
}
