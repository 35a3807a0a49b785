/** The data of a report as it stands in its file. What the first screen does not show is read when it is asked for. Pure. */
import type { Json } from '../util/json.ts';
import { packList, type PackedList, unpackList } from '../util/packed-list.ts';
import type { ReportData } from './report-data.ts';

export interface PackedReport {
  readonly first: Omit<ReportData, 'pictures' | 'posts' | Later> & Packed<'pictures' | 'posts'>;
  readonly later: Omit<Pick<ReportData, Later>, 'changes'> & Packed<'changes'>;
}

type Later = 'runs' | 'changes' | 'graph';
type Packed<Name extends string> = { readonly [Each in Name]: PackedList };

/** Without the hashes of the pictures: only a page that asks a server for them needs these. */
export function packReport({ pictures, posts, runs, changes, graph, ...others }: ReportData): PackedReport {
  const shown = pictures.map((picture) => ({ ...picture, sha256: '' }));
  return {
    first: {
      ...others,
      pictures: packList(shown),
      posts: packList(asJson(posts)),
    },
    later: { runs, changes: packList(asJson(changes)), graph },
  };
}

/** `later` is asked once, and only if need be. */
export function unpackReport(first: PackedReport['first'], later: () => PackedReport['later']): ReportData {
  let known: Pick<ReportData, Later> | undefined;
  const rest = (): Pick<ReportData, Later> => {
    if (known) return known;
    const { changes, ...others } = later();
    known = {
      ...others,
      changes: unpackList(changes) as unknown as ReportData['changes'],
    };
    return known;
  };
  return {
    ...first,
    pictures: unpackList(first.pictures) as unknown as ReportData['pictures'],
    posts: unpackList(first.posts) as unknown as ReportData['posts'],
    get runs() {
      return rest().runs;
    },
    get changes() {
      return rest().changes;
    },
    get graph() {
      return rest().graph;
    },
  };
}

function asJson(list: readonly object[]): readonly Json[] {
  return list as readonly Json[];
}
