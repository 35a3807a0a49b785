/**
 * A campaign for somebody who looks at it again and again. The manifest and its photos are read again only where something
 * that they were made from has changed; of the state, only what was added since (`Store.reader`).
 */
import path from 'node:path';
import { RACY_MS } from '../files/stat-cache.ts';
import type { OutputFile } from '../model/payload.ts';
import type { Refusal } from '../model/problem.ts';
import type { StateReader, Store } from '../store/store.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { Campaign, CampaignSource } from './campaign.ts';
import { loadCampaign } from './load-campaign.ts';
import { arePresent } from './present-periods.ts';
import { isAsRecorded, recordDisk } from './recorded-disk.ts';
import type { Runtime } from './runtime.ts';

export interface Followed {
  readonly campaign: Campaign;
  /** The state that it gave before changes with the next call. */
  readonly read: StateReader;
  /** Whether a downloaded file is where it was put. */
  readonly isHere: (file: OutputFile) => boolean;
}

/** Photos, folders of products and downloaded files may change without a record: they are looked at again after this time. */
const LOOK_AGAIN_MS = 10_000;

/** Has to be closed: a state in a database is read through one connection all the time. */
export interface Following<Seen> {
  readonly now: () => Promise<Result<Seen, Refusal>>;
  readonly close: () => Promise<void>;
}

/** `begin` is called whenever the state is read from its beginning. */
export function followCampaign(
  runtime: Runtime,
  source: CampaignSource,
  begin?: Parameters<Store['reader']>[0],
): Following<Followed> {
  const campaignNow = followManifest(runtime, source);
  const filesNow = rememberFiles(runtime);
  let state: { readonly store: Store; readonly read: StateReader } | undefined;
  let close: () => Promise<void> = () => Promise.resolve();
  return {
    async now() {
      const found = await campaignNow();
      if (!found.ok) return found;
      const campaign = found.value;
      const { store, manifest } = campaign;
      if (state?.store !== store) {
        await close();
        close = store.stayConnected?.() ?? close;
        state = { store, read: store.reader(begin) };
      }
      return ok({
        campaign,
        read: state.read,
        isHere: campaign.files === undefined ? filesNow(manifest.folder) : () => true,
      });
    },
    close: () => close(),
  };
}

interface Loaded {
  readonly campaign: Campaign;
  /** What everything but the decisions was made from; absent where it changed meanwhile. */
  readonly lines: readonly string[] | undefined;
  readonly settledMs: number;
  readonly mark: string;
}

function followManifest(runtime: Runtime, source: CampaignSource) {
  const { clock, disk } = runtime;
  let loaded: Loaded | undefined;
  let lookedAt = 0;
  let decided = '';
  const markOf = (file: string) => JSON.stringify(disk.stat(file));

  async function load(): Promise<Result<Campaign, Refusal>> {
    const record = recordDisk(disk);
    const settledMs = clock.now() - RACY_MS;
    loaded = undefined;
    lookedAt = clock.monotonic();
    const mark = markOf(source.file);
    const found = await loadCampaign({ ...runtime, disk: record.disk }, source);
    if (!found.ok) return found;
    const { decisionsFile } = found.value;
    const lines = record.lines()?.filter((line) => !isAbout(decisionsFile, line));
    // They may have changed since they were read.
    decided = '';
    loaded = { campaign: found.value, lines, settledMs, mark };
    return found;
  }

  function isAsLoaded({ campaign, lines, settledMs, mark }: Loaded): boolean {
    if (markOf(source.file) !== mark) return false;
    const now = clock.monotonic();
    if (now - lookedAt < LOOK_AGAIN_MS) return true;
    lookedAt = now;
    return (
      arePresent(campaign.manifest.periods, source, clock.now()) &&
      lines !== undefined &&
      isAsRecorded(disk, lines, settledMs)
    );
  }

  return async (): Promise<Result<Campaign, Refusal>> => {
    if (!loaded || !isAsLoaded(loaded)) return load();
    const mark = markOf(loaded.campaign.decisionsFile);
    if (mark === decided) return ok(loaded.campaign);
    const judged = loaded.campaign.readDecisions();
    if (!judged.ok) return err(judged.error);
    decided = mark;
    loaded = { ...loaded, campaign: judged.value };
    return judged;
  };
}

/** A line of `recordDisk`. */
function isAbout(file: string, line: string): boolean {
  const [, asked] = JSON.parse(line.slice(0, line.indexOf('\t'))) as unknown[];
  return asked === file;
}

/** By the record of a file, because what is recorded anew is looked at anew. */
function rememberFiles({ clock, disk }: Pick<Runtime, 'clock' | 'disk'>) {
  let known = new Map<OutputFile, boolean>();
  let since = clock.monotonic();
  return (folder: string) => {
    if (clock.monotonic() - since >= LOOK_AGAIN_MS) {
      known = new Map();
      since = clock.monotonic();
    }
    return (file: OutputFile): boolean => {
      const remembered = known.get(file);
      if (remembered !== undefined) return remembered;
      const isHere = disk.stat(path.resolve(folder, file.path)).type === 'file';
      known.set(file, isHere);
      return isHere;
    };
  };
}
