import { EMULATOR } from '../model/emulator.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { someOf } from '../util/did-you-mean.ts';
import type { KnownId } from './generated/campaign-document.js';
import type { Problems } from '../document/problems.ts';

/** The name where no environment is chosen because nothing needs one. */
export const NO_ENVIRONMENT = 'none';

export interface Environments {
  readonly chosen: string;
  readonly known: readonly string[];
  /** False where some could not be read: then no name counts as unknown. */
  readonly complete: boolean;
}

/** The id that an object has in the chosen environment; a bare id holds everywhere but in the emulator. */
export function readKnownId(
  id: KnownId | undefined,
  { source, environments, problems }: { source: SourceRef; environments: Environments; problems: Problems },
): string | undefined {
  const { chosen, known: named, complete } = environments;
  if (typeof id !== 'object')
    return chosen === NO_ENVIRONMENT || chosen === EMULATOR ? undefined : id?.toLowerCase();
  const known = [...named, EMULATOR, 'default'];
  for (const name of complete ? Object.keys(id) : []) {
    if (known.includes(name)) continue;
    const hint = problems.didYouMean(name, () => known) || ` Known environments: ${someOf(known)}.`;
    const detail = `There is no environment "${name}", so this id would never be used.${hint}`;
    const at = memberOf(source, 'id', name);
    problems.add({ code: 'unknown-id-environment', detail, source: at, part: 'key' });
  }
  return Object.hasOwn(id, chosen) ? id[chosen]?.toLowerCase() : undefined;
}
