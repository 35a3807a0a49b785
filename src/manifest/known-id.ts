import { EMULATOR } from '../model/emulator.ts';
import type { SourceRef } from '../model/source.ts';
import { someOf } from '../util/did-you-mean.ts';
import type { KnownId } from './document.ts';
import type { Problems } from '../document/problems.ts';

/** The chosen environment, and the names that an `id:` map may use. */
export interface Environments {
  readonly chosen: string;
  readonly known: readonly string[];
  /** False where some could not be read: then no name counts as unknown. */
  readonly complete: boolean;
}

/** The id that an object has in the chosen environment; a bare id holds everywhere but in the emulator. */
export function readKnownId(id: KnownId | undefined, { chosen }: Environments): string | undefined {
  if (id === undefined || chosen === 'none') return undefined;
  if (typeof id === 'string') return chosen === EMULATOR ? undefined : id.toLowerCase();
  return Object.hasOwn(id, chosen) ? id[chosen]?.toLowerCase() : undefined;
}

export function checkKnownId(
  id: KnownId | undefined,
  { source, environments, problems }: { source: SourceRef; environments: Environments; problems: Problems },
): void {
  if (typeof id !== 'object' || !environments.complete) return;
  const known = [...environments.known, EMULATOR, 'default'];
  for (const name of Object.keys(id)) {
    if (known.includes(name)) continue;
    const hint = problems.didYouMean(name, () => known) || ` Known environments: ${someOf(known)}.`;
    const detail = `There is no environment "${name}", so this id would never be used.${hint}`;
    problems.add({ code: 'unknown-id-environment', detail, source: `${source}/${name}`, part: 'key' });
  }
}
