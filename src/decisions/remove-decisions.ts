import { isMap, isNode, isSeq, type Node, parseDocument, type YAMLSeq } from 'yaml';
import { idKey } from '../util/id-key.ts';

/**
 * The text of a file of decisions without all that it says about these media (by `idKey`). A comment above an entry stays,
 * because it may be about those below it; the one behind an entry goes with it.
 */
export function removeDecisions(text: string, media: ReadonlySet<string>): string {
  const document = parseDocument(text);
  const list = document.get('decisions');
  if (!isSeq(list)) return text;
  const isGone = (item: unknown) => isMap(item) && media.has(idKey(String(item.get('media'))));
  if (!list.items.some(isGone)) return text;
  const kept: unknown[] = [];
  let comments: string[] = [];
  for (const item of list.items) {
    const above = isNode(item) ? item.commentBefore : undefined;
    if (isGone(item)) {
      if (above) comments.push(above);
      continue;
    }
    if (comments.length && isNode(item)) item.commentBefore = [...comments, above].filter(Boolean).join('\n');
    comments = [];
    kept.push(item);
  }
  list.items = kept;
  if (comments.length) putBelow(list, comments);
  list.flow = kept.length === 0 && !list.comment;
  return document.toString({ lineWidth: 0 });
}

function putBelow(list: YAMLSeq & Node, comments: readonly string[]): void {
  list.comment = [list.comment, ...comments].filter(Boolean).join('\n');
}
