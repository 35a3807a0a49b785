/** What the live page shows, read from the files again whenever they may have changed; it takes no lock. */
import path from 'node:path';
import type { Problem, Refusal } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';
import { jsonChanges } from '../util/json-changes.ts';
import { idKey } from '../util/id-key.ts';
import type { Json } from '../util/json.ts';
import type { LiveData, SavedDecisions, SentDecision } from '../views/live-data.ts';
import type { PictureSource } from '../views/report-pictures.ts';
import type { ReportData } from '../views/report-data.ts';
import type { Campaign, CampaignSource } from './campaign.ts';
import { followReport } from './follow-report.ts';
import { createLivePictures, type ShownPicture } from './live-pictures.ts';
import type { Runtime } from './runtime.ts';
import { setVerdicts } from './set-verdicts.ts';

export interface LiveReport {
  /** Refused only where nothing was shown before. */
  look(): Promise<Result<LiveData, Refusal>>;
  /** The files whose changes matter. */
  files(): readonly string[];
  /** Whether what no file tells is as the page has it. */
  isAsSeen(): Promise<boolean>;
  /** A whole picture or video, as the state or the manifest has it; a text says why it cannot be had. */
  picture(sha256: string): Promise<ShownPicture | string | undefined>;
  /** A small picture of it; undefined where there is none. */
  thumbnail(sha256: string): Promise<Buffer | undefined>;
  decide(sent: readonly SentDecision[]): Promise<Result<SavedDecisions, string>>;
  /** `.campaign/` */
  workFolder(): string;
  close(): Promise<void>;
}

interface Shown {
  readonly campaign: Campaign;
  readonly store: Campaign['store'];
  /** Of the state, where no file tells that it has changed. */
  readonly version: string | undefined;
  readonly data: LiveData;
  readonly sources: readonly PictureSource[];
}

export function createLiveReport(outer: Runtime, source: CampaignSource): LiveReport {
  let shown: Shown | undefined;
  let warnings: string[] = [];
  const runtime: Runtime = {
    ...outer,
    emit(event) {
      if (event.type === 'warning') warnings.push(sentenceOf(event));
      outer.emit(event);
    },
  };
  const followed = followReport(runtime, source);
  const pictures = createLivePictures(outer);

  async function lookNow(): Promise<Result<Shown, Refusal>> {
    warnings = [];
    const made = await followed.now();
    if (!made.ok) return made;
    const { campaign, store, version, data, sources } = made.value;
    const running = (await store.holder()) ?? null;
    const report = asBefore(data, shown?.data.report);
    return ok({ campaign, store, version, sources, data: { report, running, problem: null, warnings } });
  }

  return {
    async look() {
      const looked = await lookNow();
      if (looked.ok) shown = looked.value;
      else if (!shown) return looked;
      else shown = { ...shown, data: { ...shown.data, problem: wordsOf(looked.error.problems) } };
      return ok(shown.data);
    },
    files() {
      if (!shown) return [source.file];
      const { store, decisionsFile } = shown.campaign;
      return [source.file, store.name, decisionsFile];
    },
    async isAsSeen() {
      if (!shown) return true;
      const { store, version, data } = shown;
      if (((await store.holder()) ?? null) !== data.running) return false;
      // What was wrong with a database may be over, although nothing was recorded meanwhile.
      if (store.version && data.problem !== null) return false;
      return (await store.version?.()) === version;
    },
    picture: async (sha256) => shown && pictures.whole(shown, sha256),
    thumbnail: async (sha256) => shown && pictures.small(shown, sha256),
    decide: async (sent) => (shown ? decided(runtime, shown, sent) : err('Nothing is shown yet.')),
    workFolder: () => shown?.campaign.workFolder ?? path.resolve('.campaign'),
    async close() {
      await followed.close();
      await pictures.close();
    },
  };
}

async function decided(
  runtime: Runtime,
  { campaign, data }: Shown,
  sent: readonly SentDecision[],
): Promise<Result<SavedDecisions, string>> {
  const addresses = addressesIn(data.report);
  const wanted = sent.flatMap(({ media, decision, seen }) => {
    const address = addresses.get(idKey(media));
    const { verdict = 'undecided', note = '' } = decision ?? {};
    return address === undefined ? [] : [{ address, media, verdict, note, seen } as const];
  });
  const strange = sent.filter(({ media }) => !addresses.has(idKey(media)));
  const set = await setVerdicts(runtime, campaign, wanted);
  if (!set.ok) return err(wordsOf(set.error.problems));
  return ok({ left: [...strange, ...set.value].map(({ media }) => media) });
}

/** Made when it last differed: else every look would be a change. */
function asBefore(data: ReportData, before: ReportData | undefined): ReportData {
  if (!before) return data;
  const same = { ...data, madeAt: before.madeAt };
  const asJson = (value: ReportData) => value as unknown as Json;
  return jsonChanges(asJson(before), asJson(same)).length ? data : before;
}

function addressesIn({ posts }: ReportData): Map<string, string> {
  return new Map(
    posts.flatMap(({ address, takes }) => takes.map(({ media }) => [idKey(media), address] as const)),
  );
}

/** `m.yaml:3:5: Summary: detail`, for each of the first few. */
function wordsOf(problems: readonly Problem[]): string {
  return problems.slice(0, 3).map(sentenceOf).join(' ');
}

function sentenceOf({ position, summary, detail }: Pick<Problem, 'position' | 'summary' | 'detail'>): string {
  const place = position ? `${position.file}:${position.line}:${position.column}: ` : '';
  const said = detail === undefined ? summary : `${summary}: ${detail}`;
  return `${place}${said}${/[.!?]$/.test(said) ? '' : '.'}`;
}
