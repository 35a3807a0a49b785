import { isAlias, isMap, isScalar, isSeq, type Node } from 'yaml';
import { keyName } from './key-name.ts';
import type { SourceFile } from './locate.ts';

/**
 * The value of a checked document: every alias is known and in no cycle, every key has a name. (The library's own
 * conversion searches for the anchor of every alias among all others.)
 */
export function toValue({ document, targets }: Pick<SourceFile, 'document' | 'targets'>): unknown {
  const known = new Map<Node, unknown>();
  const convert = (node: unknown): unknown => {
    if (isAlias(node)) {
      const target = targets.get(node);
      if (target && !known.has(target)) known.set(target, convert(target));
      return target && known.get(target);
    }
    if (isSeq(node)) return node.items.map(convert);
    if (isMap(node)) {
      const value: Record<string, unknown> = {};
      for (const pair of node.items) value[keyName(pair.key) ?? ''] = convert(pair.value);
      return value;
    }
    return isScalar(node) ? node.value : null;
  };
  return convert(document.contents);
}
