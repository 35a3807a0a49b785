/** Fills the texts of products, of concepts and of `with` into the combinations of a matrix. */
import type { Problems } from '../document/problems.ts';
import type { SourceRef } from '../model/source.ts';
import { isUuid } from '../util/id-key.ts';
import { someOf } from '../util/did-you-mean.ts';
import type { Combination } from './matrix.ts';
import { whatSpreadsheetsDo } from './spreadsheet-values.ts';
import type { AllTexts } from './texts.ts';
import { objectKey, type UsedText } from './used-texts.ts';

/** Further empty cells of a column are counted where the expression stands. */
const MOST_CELLS = 20;

interface Scope {
  readonly keys: readonly string[];
  readonly used: readonly UsedText[];
  readonly texts: AllTexts;
  readonly problems: Problems;
}

/** The texts of a combination in the order of `used`; undefined where one of them is not set, which `report` tells. */
export function createTextFinder({ keys, used, texts, problems }: Scope) {
  const unset = new Map<UsedText, Set<string>>();
  const empty = new Map<UsedText, Set<SourceRef>>();
  const isUnread = ({ context }: UsedText) => context === 'product' && problems.isBroken('#/product_tables');
  const finders = used.map((text) => {
    const at = keys.indexOf(objectKey(text.context, keys) ?? '');
    const isMissing = (of: string) => {
      unset.set(text, (unset.get(text) ?? new Set()).add(of));
      return undefined;
    };
    return ({ values, instance, fields }: Combination): string | undefined => {
      if (text.context === 'with') return fields?.get(text.name) ?? isMissing(instance);
      const key = values[at]?.text ?? '';
      const of = texts[text.context].get(key);
      const found = of?.find(text.name);
      // What could not be read, or lies in what could not be read, has been told.
      if (!found && (of ? isUnread(text) : !isUuid(key))) return undefined;
      if (!found) return isMissing(key);
      if ('text' in found) {
        const { text: told, cell } = found;
        const detail = whatSpreadsheetsDo(told);
        if (cell !== undefined && detail !== undefined)
          problems.add({ code: 'spreadsheet-value', detail, source: cell });
        return told;
      }
      const cells = empty.get(text) ?? new Set();
      empty.set(text, cells.add(found.emptyAt));
      if (cells.size > MOST_CELLS) return isMissing(key);
      const detail = `This cell is empty, and ${places(text)} takes its text for posts of "${key}". Fill it in, or leave the product out of the matrix.`;
      problems.add({ code: 'unset-text', detail, source: found.emptyAt });
      return undefined;
    };
  });
  return {
    find(combination: Combination): string[] | undefined {
      const found = finders.map((find) => find(combination));
      return found.every((text) => text !== undefined) ? found : undefined;
    },
    report() {
      for (const [text, keysOfIt] of unset) {
        const detail = `It is not set for ${someOf(keysOfIt)}${keysOfIt.size > 1 ? ` (${keysOfIt.size} in all)` : ''}.${advice(text, keysOfIt, { texts, problems })}`;
        for (const place of text.places) problems.add({ code: 'unset-text', detail, ...place });
      }
    },
  };
}

function places({ places: [first] }: UsedText): string {
  return first?.fragment ?? 'a post';
}

function advice(
  { context, name }: UsedText,
  missing: ReadonlySet<string>,
  { texts, problems }: Pick<Scope, 'texts' | 'problems'>,
): string {
  if (context === 'with')
    return ` Write \`with: { ${name}: … }\` in a row of \`include\` for each combination.`;
  const of = [...missing].flatMap((key) => texts[context].get(key) ?? [])[0];
  const own = name.slice('vars.'.length);
  if (!of) return ` What is named by an id has no texts here.`;
  if (!name.startsWith('vars.')) return ` Write a ${name} for each ${context}.`;
  return problems.didYouMean(own, () => of.vars()) || ` Write \`vars: { ${own}: … }\` for each ${context}.`;
}
