/** What `validate --lint` finds in a manifest: nothing that is wrong, but much of it is a slip. */
import type { Problems } from '../document/problems.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import type { CampaignDocument } from './generated/campaign-document.js';
import { aspectRatioOf } from '../util/aspect-ratio.ts';
import type { Concept, Item, Post } from './manifest.ts';
import type { ProductFolder } from './product-folders.ts';
import type { DeclaredText, UsedTexts } from './used-texts.ts';

interface Linted {
  readonly document: CampaignDocument;
  readonly concepts: readonly Concept[];
  readonly posts: readonly Post[];
  readonly usedVariables: ReadonlySet<string>;
  readonly declared: readonly DeclaredText[];
  readonly usedTexts: UsedTexts;
}

/** What the manifest and the files of product folders write under `vars:`. */
export function declaredVars(
  { products = {}, concepts = {} }: CampaignDocument,
  folders: readonly ProductFolder[],
): DeclaredText[] {
  const varsAt = (kind: DeclaredText['kind'], at: SourceRef, vars: object = {}) =>
    Object.keys(vars).map((name) => ({ kind, name, source: memberOf(at, 'vars', name) }));
  return [
    ...Object.entries(products).flatMap(([key, { vars }]) => varsAt('product', `#/products/${key}`, vars)),
    ...Object.entries(concepts).flatMap(([key, { vars }]) => varsAt('concept', `#/concepts/${key}`, vars)),
    ...folders.flatMap(({ written, writtenSource }) => varsAt('product', writtenSource ?? '', written?.vars)),
  ];
}

export function lintCampaign(linted: Linted, problems: Problems): void {
  const { document, concepts, posts, usedVariables } = linted;
  const warn = (code: 'unused' | 'no-description', source: string, detail: string) =>
    problems.add({ code, severity: 'warning', detail, source, part: 'key' });
  for (const name of Object.keys(document.variables ?? {})) {
    if (usedVariables.has(name)) continue;
    warn(
      'unused',
      memberOf('#/variables', name),
      `Nothing uses the variable "${name}". Write \${{ vars.${name} }} where it belongs, or remove it.`,
    );
  }
  for (const { kind, name, source } of unusedTexts(linted)) {
    const detail = `No post takes the text "${name}" of its ${kind}. Write \${{ ${kind}.vars.${name} }} where it belongs, or remove it.`;
    warn('unused', source, detail);
  }
  const usedConcepts = new Set(posts.flatMap(({ concept }) => ('key' in concept ? concept.key : [])));
  for (const { key, source } of concepts) {
    if (usedConcepts.has(key)) continue;
    warn(
      'unused',
      source,
      `No post uses the concept "${key}", and it would be made all the same. Name it in a post plan, or remove it.`,
    );
  }
  for (const item of new Set(posts.flatMap(({ items }) => items))) {
    lintRatio(item, problems);
    if (item.descriptions.some((text) => text.trim() !== '')) continue;
    warn(
      'no-description',
      item.source,
      'This item says nothing of what its post shows, so only the concept and the photos decide. Write `descriptions: [...]`.',
    );
  }
}

/** Longer sides are most likely a slip, such as 1:7 for 1:1: generators stop at 21:9 or 1:3. */
const LONGEST_RATIO = 3;

function lintRatio({ metadata, source }: Item, problems: Problems): void {
  const text = metadata.aspect_ratio;
  const ratio = aspectRatioOf(text);
  if (ratio === undefined || Math.max(ratio, 1 / ratio) <= LONGEST_RATIO) return;
  const detail = `"${text}" is more than three times as long as wide, or the reverse. Few services make such a picture. Check the numbers.`;
  problems.add({ code: 'odd-aspect-ratio', severity: 'warning', detail, source });
}

/** The first place of each text that no post plan uses. */
function unusedTexts({ declared, usedTexts }: Linted): DeclaredText[] {
  const used = new Set(
    [...usedTexts.values()].flatMap((ofPost) =>
      [...ofPost.values()].map(({ context, name }) => `${context}.${name}`),
    ),
  );
  const told = new Set<string>();
  return declared.filter(({ kind, name }) => {
    const text = `${kind}.vars.${name}`;
    const { size } = told;
    return !used.has(text) && told.add(text).size > size;
  });
}
