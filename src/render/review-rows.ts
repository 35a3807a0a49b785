/** Posts as rows of a table, and everything else as items of a list, in Markdown. */
import type { Locate } from '../model/source.ts';
import { groupBy } from '../util/group-by.ts';
import type { Listed, ReviewedPost } from '../views/plan-review.ts';
import { type Block, codeText } from './markdown-text.ts';
import { reasonLines } from './reason-text.ts';
import { createStyle } from './style.ts';

const LONGEST_CAPTION = 80;
const LONGEST_REASON = 160;
const MOST_REASONS = 6;
const MOST_NAMES = 2;

const PLAIN = createStyle({}, 'never');

const COLUMNS: Readonly<Record<string, (post: ReviewedPost, why: string) => string>> = {
  post: ({ address }) => codeText(address.replace('media/', '')),
  type: ({ type }) => codeText(type),
  ratio: ({ ratio }) => codeText(ratio),
  product: ({ products }) => namesText(products),
  caption: ({ captions }) => codeText(captions.join(' / '), LONGEST_CAPTION),
  photos: ({ photos }) => namesText(photos),
  why: (_, why) => why,
};

/** Columns in which nothing stands are left out. */
export function postsTable(
  posts: readonly ReviewedPost[],
  locate: Locate,
): Pick<Block, 'tableHead' | 'rows'> {
  const cells = saidOnce(posts, ({ reasons }) => reasonTexts(reasons, locate).join('<br>')).map(
    ([post, why]) => Object.values(COLUMNS).map((cell) => cell(post, why)),
  );
  const names = Object.keys(COLUMNS);
  const used = names.map((_, column) => cells.some((row) => row[column]));
  const line = (row: readonly string[]) => `| ${row.filter((_, column) => used[column]).join(' | ')} |`;
  if (!cells.length) return { rows: [] };
  return { tableHead: `${line(names)}\n${line(names.map(() => '---'))}\n`, rows: cells.map(line) };
}

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => codeText(name, LONGEST_CAPTION));
  const more = names.length - MOST_NAMES;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function reasonTexts(reasons: ReviewedPost['reasons'], locate: Locate): string[] {
  const lines = reasonLines(reasons, locate, PLAIN).map((line) => codeText(line, LONGEST_REASON));
  const more = lines.length - MOST_REASONS;
  return [...lines.slice(0, MOST_REASONS), ...(more > 0 ? [`and ${more} more`] : [])];
}

export function listRows(entries: readonly Listed[], locate: Locate): string[] {
  return saidOnce(entries, ({ reasons = [] }) => reasonTexts(reasons, locate).join('; ')).map(
    ([{ address, to, why }, because]) => {
      const target = to === undefined ? '' : ` → ${codeText(to)}`;
      const told = [...(why === undefined ? [] : [codeText(why, LONGEST_REASON)]), because].filter(Boolean);
      return `- ${codeText(address)}${target}${told.length ? `: ${told.join('; ')}` : ''}`;
    },
  );
}

/** Shorter causes are said each time. */
const WORTH_SAYING_ONCE = 40;

/** What has one cause stands together, and the cause beside the first, because nobody reads it forty times. */
function saidOnce<Entry>(
  entries: readonly Entry[],
  causeOf: (entry: Entry) => string,
): (readonly [Entry, string])[] {
  const told = entries.map((entry) => [entry, causeOf(entry)] as const);
  return [...groupBy(told, ([, cause]) => cause).values()].flatMap((alike) =>
    alike.map(([entry, cause], index) => {
      const isSaid = index > 0 && cause.length > WORTH_SAYING_ONCE;
      return [entry, isSaid ? 'as above' : cause] as const;
    }),
  );
}
