import { parseDocument } from 'yaml';
import { createProblems } from '../../document/problems.ts';
import { fillIn } from '../../manifest/expressions.ts';
import type { CampaignDocument } from '../../manifest/generated/campaign-document.js';
import { readVariables } from '../../manifest/variables.ts';

/**
 * The variables that hold the keys of a manifest, as campaign reads them: behind an alias, after a comment, with
 * expressions filled in. Of a manifest that nobody can read, none.
 */
export function filledKeys(text: string, given: ReadonlyMap<string, string>): string[] {
  try {
    const parsed = parseDocument(text, { merge: true, uniqueKeys: false, logLevel: 'error' });
    const document = parsed.toJS({ maxAliasCount: 100 }) as CampaignDocument;
    return Object.entries(document.service?.environments ?? {}).flatMap(([environment, entry]) => {
      const { values } = readVariables(document, { environment, given }, createProblems());
      const valueOf = ({ context, name = '' }: { context?: string; name?: string }) =>
        context === 'vars' ? values.get(name) : undefined;
      return entry.api_key_env === undefined ? [] : fillIn(entry.api_key_env, valueOf);
    });
  } catch {
    return [];
  }
}
