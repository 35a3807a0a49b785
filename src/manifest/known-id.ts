import type { SourceRef } from '../model/source.ts';
import { didYouMean } from './did-you-mean.ts';
import type { KnownId } from './document.ts';
import type { Problems } from './problems.ts';

/** The environment that counts, and the names that an `id:` map may use. */
export interface Environments {
  readonly chosen: string;
  readonly known: readonly string[];
}

/** The id that an object has already in the chosen environment: a bare one holds everywhere but in the emulator. */
export function readKnownId(id: KnownId | undefined, { chosen }: Environments): string | undefined {
  if (id === undefined || chosen === 'none') return undefined;
  if (typeof id === 'string') return chosen === 'emulator' ? undefined : id.toLowerCase();
  return Object.hasOwn(id, chosen) ? id[chosen]?.toLowerCase() : undefined;
}

/** Checks the names of environments in an `id:` map. */
export function checkKnownId(
  id: KnownId | undefined,
  { source, environments, problems }: { source: SourceRef; environments: Environments; problems: Problems },
): void {
  if (typeof id !== 'object') return;
  const known = [...environments.known, 'emulator', 'default'];
  for (const name of Object.keys(id)) {
    if (known.includes(name)) continue;
    const detail = `There is no environment "${name}".${didYouMean(name, known) || ` Known: ${known.join(', ')}.`}`;
    problems.add({ code: 'unknown-id-environment', detail, source: `${source}/${name}`, part: 'key' });
  }
}
