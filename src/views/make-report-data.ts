import type { Graph } from '../model/graph.ts';
import { kindHas } from '../model/kinds.ts';
import type { RunState } from '../model/run-state.ts';
import type { SourceRef } from '../model/source.ts';
import { inertText } from '../util/inert-text.ts';
import type { Coverage } from './coverage.ts';
import type { ReportCounts, ReportData, SheetProduct } from './report-data.ts';
import type { PictureSource, Pictures } from './report-pictures.ts';
import { type MatchedPosts, type PostMemory, sheetPosts } from './report-posts.ts';
import type { ReportScreens } from './report-screens.ts';
import { type Known, wantedPosts } from './wanted-posts.ts';

/** What a page says of the campaign itself. */
export type ReportHead = Pick<
  ReportData,
  'campaign' | 'environment' | 'service' | 'manifest' | 'decisionsFile' | 'madeAt' | 'currency'
>;

export interface ReportInput {
  readonly head: ReportHead;
  readonly screens: ReportScreens;
  readonly graph: Graph;
  readonly state: RunState;
  readonly known: Known;
  readonly matched: MatchedPosts;
  readonly coverage: Coverage;
  /** What a post of a type costs; null where it has no price. */
  readonly priceOf: (type: string) => number | null;
  /** `campaign.yaml:31` */
  readonly placeOf: (source: SourceRef | undefined) => string | null;
  /** Those that a page has already stay. */
  readonly pictures: Pictures;
  /** The posts of the version before. */
  readonly before?: PostMemory | undefined;
}

/** The data of a page, and where its pictures are, in the order of `data.pictures`. */
export interface MadeReport {
  readonly data: ReportData;
  readonly sources: readonly PictureSource[];
}

export function makeReportData(input: ReportInput): MadeReport {
  const { head, screens, graph, state, known, coverage, pictures } = input;
  const wanted = wantedPosts(graph, state, known);
  const posts = sheetPosts({ ...input, wanted, open: coverage.open, verdicts: known.verdicts });
  const products = sheetProducts(graph, pictures);
  const concepts = [...graph.objects.values()].flatMap((object) =>
    object.kind === 'concept' ? [{ key: keyOf(object.address), name: inertText(object.payload.name) }] : [],
  );
  const data: ReportData = {
    format: 1,
    ...head,
    ...screens,
    pictures: [...pictures.pictures],
    posts,
    products,
    concepts,
    counts: countsOf(coverage),
  };
  return { data, sources: [...pictures.sources] };
}

/** The sums alone: the posts have their own list here. */
function countsOf(coverage: Coverage): ReportCounts {
  const { by_post: _, post_plans: __, open: ___, ...counts } = coverage;
  return counts;
}

/** With the photos that the manifest gives them; those at a URL are not here. */
function sheetProducts({ objects }: Graph, pictures: Pictures): SheetProduct[] {
  return [...objects.values()].flatMap((object) => {
    if (object.kind !== 'product') return [];
    const { name, images } = object.payload;
    const photos = images.flatMap((image) => {
      const upload = 'upload' in image ? objects.get(image.upload) : undefined;
      if (!upload || !kindHas(upload, 'localFiles', 'reads')) return [];
      const { file, sha256, contentType } = upload.payload;
      return [pictures.add({ file, sha256, contentType, from: 'photo' })];
    });
    return [{ key: keyOf(object.address), name: inertText(name), photos }];
  });
}

function keyOf(address: string): string {
  return address.slice(address.indexOf('/') + 1);
}
