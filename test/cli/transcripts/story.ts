/** A story is commands in one folder with edits of its files in between; its transcript is all that they say. */
import { readFile, rm } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import { version } from '../../../src/app/package-info.ts';
import { startBareService } from '../../support/bare-service.ts';
import { makeDatabase } from '../../support/postgres.ts';
import { type AtEnd, campaignFolder, untilTestEnds } from '../small-campaign.ts';

/** What happens between two commands. */
export type Edit =
  | { readonly write: string; readonly text: string | Uint8Array }
  /** In m.yaml, at every place. */
  | { readonly change: string; readonly to: string }
  | { readonly remove: string }
  /** From now on the service answers these routes (`POST /products/`), and no others, with these statuses. */
  | { readonly refuses: Readonly<Record<string, number>> };

/** A command as in a shell (`NAME=value campaign plan 'a b'`; `$DATABASE` is the URL of a new one), or an edit. */
export type Step = string | Edit;

export interface Story {
  /** Also the name of its transcript. */
  readonly name: string;
  /** The text of m.yaml. */
  readonly manifest: string;
  readonly steps: readonly Step[];
}

interface Telling {
  /** Whether this command runs in a process of its own. */
  readonly isApart: (line: string) => boolean;
  readonly atEnd: AtEnd;
}

/** Plays a story against a service of its own; gives its transcript. */
export async function tell({ manifest, steps }: Story, { isApart, atEnd }: Telling): Promise<string> {
  let refuses: Readonly<Record<string, number>> = {};
  const starting = startBareService({ pendingPolls: 0, refuses: (route) => refuses[route] });
  const service = await untilTestEnds(starting, atEnd);
  const campaign = await campaignFolder(manifest, service, atEnd);
  const database = needsDatabase({ steps }) ? await makeDatabase() : 'none';

  async function say(line: string): Promise<string> {
    const { env, args } = commandOf(line.replaceAll('$DATABASE', database));
    const { code, signal, stdout, stderr } = await campaign[isApart(line) ? 'runApart' : 'run'](args, env);
    const streams = `${await named(stdout)}${stderr && `--- stderr ---\n${stderr}`}`;
    return `$ ${line}\n${streams.replace(/(?<=[^\n])$/, '\n')}--- exit ${signal ?? code} ---\n`;
  }

  async function edit(step: Edit): Promise<string> {
    if ('write' in step) {
      await campaign.write(step.write, step.text);
      return `# ${step.write} is written${typeof step.text === 'string' ? `:\n${step.text}` : '\n'}`;
    }
    if ('remove' in step) {
      await rm(join(campaign.folder, step.remove), { recursive: true });
      return `# ${step.remove} is removed\n`;
    }
    if ('refuses' in step) {
      ({ refuses } = step);
      return `# the service refuses ${JSON.stringify(refuses)}\n`;
    }
    const before = await campaign.read('m.yaml');
    if (!before.includes(step.change)) throw new Error(`m.yaml does not say ${step.change}`);
    await campaign.write('m.yaml', before.replaceAll(step.change, step.to));
    return `# m.yaml: ${step.change.trim()} → ${step.to.trim()}\n`;
  }

  const told: string[] = [];
  for (const step of steps) told.push(typeof step === 'string' ? await say(step) : await edit(step));
  const urls = new RegExp(`postgres://\\S*?/${basename(database)}`, 'g');
  return withoutChance(
    told
      .join('\n')
      .replaceAll(campaign.folder, 'FOLDER')
      .replace(urls, () => '$DATABASE'),
  );
}

export function needsDatabase({ steps }: Pick<Story, 'steps'>): boolean {
  return steps.some((step) => typeof step === 'string' && step.includes('$DATABASE'));
}

function commandOf(line: string): { readonly env: Record<string, string>; readonly args: string[] } {
  const [before = '', after = ''] = line.split(/\bcampaign /, 2);
  return {
    env: Object.fromEntries([...before.matchAll(/(\w+)=(\S*)/g)].map(([, name, value]) => [name, value])),
    args: [...after.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word),
  };
}

/** Commands print these files of the package: a transcript names them, for their own tests compare their text. */
const PRINTED = ['schemas/campaign.schema.json', 'completions/campaign.zsh'];

async function named(stdout: string): Promise<string> {
  for (const file of PRINTED) {
    const text = await readFile(join(import.meta.dirname, '../../..', file), 'utf8');
    if (stdout.trim() === text.trim()) return `(the text of ${file})\n`;
  }
  return stdout;
}

/** What every run says otherwise, and what another machine or release does. */
function withoutChance(text: string): string {
  const ids = new Map<string, string>();
  return (
    text
      .replace(/127\.0\.0\.1:\d+/g, 'HOST')
      // By the place where it comes first: another id at a place is seen. The ids of a story stay.
      .replace(/(?!0{8})[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
        const known = ids.get(id) ?? `ID-${ids.size + 1}`;
        ids.set(id, known);
        return known;
      })
      .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
      .replace(/("run": ?")[0-9a-f]{8}"/g, '$1RUN"')
      .replace(/^[0-9a-f]{8}(?= {2}TIME)/gm, 'RUN')
      // It is made of URLs of the service, which have its port.
      .replace(/("images": ?")[0-9a-f]{16}"/g, '$1DIGEST"')
      .replace(/"ms":\d+/g, '"ms":0')
      .replace(/ \(\d+(\.\d+)? (ms|s|min)\)/g, '')
      .replace(/\b\d+(\.\d+)? (ms|s|min|[MGT]B)\b/g, 'SOME')
      .replace(/\bNode \d+\.\d+\.\d+/g, 'Node VERSION')
      .replaceAll(`"${version}"`, '"VERSION"')
      .replaceAll(`${userInfo().username}@${hostname()}`, 'SOMEBODY')
      // A change shows in the entry of a list that it is in.
      .replaceAll('},{', '},\n{')
  );
}
