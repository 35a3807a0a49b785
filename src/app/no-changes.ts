/**
 * A plan that came to nothing to do is remembered with everything that it depended on, so that the next run only has to
 * see that all of it is as it was: 92,005 nodes take 0.3 s then instead of 4 s. `.campaign/no-changes-<hash>` holds a
 * CRC-32 of the rest, a line of JSON, and a line for each question about files (recorded-disk.ts). It may be deleted;
 * where anything in it does not fit, it is as if it were not there.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { RACY_MS } from '../files/stat-cache.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { monthOf } from '../model/budget.ts';
import { EMULATOR } from '../model/emulator.ts';
import { type Plan, PlannedNodes } from '../model/plan.ts';
import type { Problem } from '../model/problem.ts';
import type { Store } from '../store/store.ts';
import { writeFileAtomic } from '../util/atomic-file.ts';
import type { Disk } from '../util/disk.ts';
import { isJsonObject, parseJson } from '../util/json.ts';
import { makeIgnoredFolder } from '../util/new-file.ts';
import type { CampaignSource, ShownCampaign } from './campaign.ts';
import { packageFile, version } from './package-info.ts';
import type { PlanWishes } from './plan-wishes.ts';
import { arePresent } from './present-periods.ts';
import { isAsRecorded, recordDisk } from './recorded-disk.ts';
import type { ProcessVariables, Runtime } from './runtime.ts';
import { storeOf } from './state-place.ts';

/** What is asked for, besides the campaign. */
export interface Asked {
  readonly command: 'plan' | 'apply';
  readonly wishes: PlanWishes;
  readonly folders: 'check' | 'trust';
}

/** A plan without work, and all that a command shows of it. */
export interface NoChanges {
  readonly campaign: ShownCampaign & { readonly store: Store };
  readonly plan: Plan;
  readonly known: number;
  readonly warnings: readonly Problem[];
  readonly mark: string;
}

interface Header extends Pick<NoChanges, 'plan' | 'known' | 'warnings' | 'mark'> {
  /** A digest of what was asked for, of the variables that count, and of this program. */
  readonly asked: string;
  /** Epoch milliseconds. A plan without work stays one as time goes on: posts only cease to be rechecked. */
  readonly begun: number;
  /** How long it took, in milliseconds. */
  readonly took: number;
  readonly manifest: Pick<Manifest, 'folder' | 'name' | 'environment' | 'outputs' | 'periods'>;
}

export type Memory = ReturnType<typeof openMemory>;

export function openMemory({ clock, disk, env }: Runtime, source: CampaignSource, wanted: Asked) {
  const begun = clock.now();
  const folder = path.join(path.resolve(path.dirname(source.file)), '.campaign');
  const place = [
    path.resolve(source.file),
    wanted.command,
    source.environment,
    source.state,
    env['CAMPAIGN_ENV'],
    env['CAMPAIGN_STATE'],
  ];
  const file = path.join(folder, `no-changes-${digestOf(place).slice(0, 16)}`);
  const asked = digestOf([
    wanted,
    { ...source, variables: [...(source.variables ?? [])] },
    counted(env),
    // What a budget has left changes with the month.
    [monthOf(begun), ...program(disk)],
  ]);
  const record = recordDisk(disk);
  const since = clock.monotonic();

  /** Undefined unless everything fits but for the state, whose mark is compared later. */
  function recall(): NoChanges | undefined {
    const read = readMemory(disk, file);
    if (!read || read.header.asked !== asked || !isOfNow(read.header, source, begun)) return undefined;
    const { manifest, plan, known, warnings, mark } = read.header;
    const state = isAsRecorded(disk, read.lines, read.settledMs) && storeOf({ env }, source, manifest);
    if (!state || !state.ok) return undefined;
    const { store } = state.value;
    const shown = {
      manifest: { ...manifest, locate: nowhere },
      store,
      target: source.target,
      quote: nowhere,
    };
    return { campaign: shown, plan, known, warnings, mark };
  }

  /** Remembers a plan if it is one without work. Never fails: without it the next run plans again. */
  async function keep({ campaign, plan, known, warnings, mark }: Made): Promise<void> {
    const lines = record.lines();
    const { name, folder: home, environment, outputs, periods } = campaign.manifest;
    if (mark === undefined || !lines || hasNews(plan) || environment.baseUrl === EMULATOR) return;
    const manifest = { folder: home, name, environment, outputs, periods };
    const took = clock.monotonic() - since;
    const header: Header = { asked, begun, took, manifest, plan, known, warnings, mark };
    const text = [JSON.stringify(header), ...lines].join('\n');
    try {
      await makeIgnoredFolder(folder);
      await writeFileAtomic(file, crcOf(text) + text, { mode: 0o600 });
    } catch {
      // An error of the disk.
    }
  }

  /** A runtime with which a campaign is read and planned, so that it can be kept. */
  const watch = (runtime: Runtime): Runtime => ({ ...runtime, disk: record.disk });
  return { recall, keep, watch };
}

/** `settledMs`: what was changed later may have been changed again while it was looked at. */
function readMemory(disk: Disk, file: string) {
  const found = disk.lstat(file);
  const bytes = found.type === 'file' ? disk.read(file, LARGEST_BYTES) : undefined;
  if (found.type !== 'file' || !Buffer.isBuffer(bytes)) return undefined;
  const text = bytes.toString();
  if (text.slice(0, CRC_LENGTH) !== crcOf(text.slice(CRC_LENGTH))) return undefined;
  const [head = '', ...lines] = text.slice(CRC_LENGTH).split('\n');
  const read = parseJson(head);
  if (!read.ok || !isJsonObject(read.value)) return undefined;
  const written = read.value as unknown as Header;
  // What JSON has in the place of the nodes is no PlannedNodes; a plan without work has none.
  const header = { ...written, plan: { ...written.plan, nodes: new PlannedNodes([]) } };
  // By this machine's clock or that of the disk, whichever is behind.
  const settledMs = Math.min(header.begun, found.mtimeMs - header.took) - RACY_MS;
  return { header, lines, settledMs };
}

interface Made extends Pick<NoChanges, 'plan' | 'known' | 'warnings'> {
  readonly campaign: ShownCampaign;
  readonly mark?: string | undefined;
}

/** The largest that is read; 10,000 photos make 2 MB. */
const LARGEST_BYTES = 256 * 1024 ** 2;

const CRC_LENGTH = 8;

function crcOf(text: string): string {
  return crc32(text).toString(16).padStart(CRC_LENGTH, '0');
}

/** Whether the clock was not set back since, and no other period has begun. */
function isOfNow({ begun, manifest }: Header, source: CampaignSource, now: number): boolean {
  return begun <= now && arePresent(manifest.periods, source, now);
}

function nowhere(): undefined {
  return undefined;
}

/** Whether a plan has work or edits to show, or something in it may change with time or waits for somebody. */
function hasNews({ nodes, deletions, ...plan }: Plan): boolean {
  const { moves, fileMoves, failed, unknown, held, kept, beyondBudget } = plan;
  const lists = [moves, fileMoves, failed, unknown, held, kept, beyondBudget, deletions?.withheld ?? []];
  return !nodes.isEmpty || lists.some((list) => list.length > 0);
}

/** Those by which a manifest is read. The API key is checked in every run, and is in no file. */
function counted(env: ProcessVariables): (readonly [string, string | undefined])[] {
  const all = Object.entries(env).filter(([name]) => /^CAMPAIGN_(?!API_KEY)/.test(name));
  return all.sort(([a], [b]) => (a < b ? -1 : 1));
}

/** This program: its version, its bytes (the names of all parts are in the first), what runs it, and where. */
function program(disk: Disk): unknown[] {
  const bytes = disk.read(packageFile('dist', 'cli.js'), LARGEST_BYTES);
  const sum = Buffer.isBuffer(bytes) ? crc32(bytes) : 0;
  return [version, sum, process.version, path.resolve()];
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
