/** What `validate --lint` finds in a manifest: nothing that is wrong, but much of it is a slip. */
import type { Problems } from '../document/problems.ts';
import { memberOf } from '../model/source.ts';
import type { CampaignDocument } from './generated/campaign-document.js';
import type { Concept, Post } from './manifest.ts';

interface Linted {
  readonly document: CampaignDocument;
  readonly concepts: readonly Concept[];
  readonly posts: readonly Post[];
  readonly usedVariables: ReadonlySet<string>;
}

export function lintCampaign({ document, concepts, posts, usedVariables }: Linted, problems: Problems): void {
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
    if (item.descriptions.some((text) => text.trim() !== '')) continue;
    warn(
      'no-description',
      item.source,
      'This item says nothing of what its post shows, so only the concept and the photos decide. Write `descriptions: [...]`.',
    );
  }
}
