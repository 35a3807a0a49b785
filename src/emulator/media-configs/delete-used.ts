import type { EmulatorContext } from '../context.ts';
import type { Records } from '../storage/records.ts';
import type { MediaConfigRecord } from '../../service/wire.ts';
import { mediumOf } from './record.ts';

/** A product or a concept, which media configurations may refer to. */
interface Used {
  readonly kind: 'product' | 'concept';
  readonly id: string;
  readonly path: string;
}

/** Deletes it as the switch `deleteInUse` says; `in-use`: nothing was deleted. */
export function deleteUsed(context: EmulatorContext, { kind, id, path }: Used): 'deleted' | 'in-use' {
  const { behaviour, generation, records } = context;
  const call = { method: 'DELETE', path, request: null };
  const users = behaviour.deleteInUse === 'allowed' ? [] : usersOf(records, { kind, id });
  if (users.length && behaviour.deleteInUse === 'refused') return 'in-use';
  for (const config of users) {
    context.commit({ kind: 'media-config', action: 'delete', id: config.id, ...call });
    for (const item of config.items) generation.cancel(mediumOf(item));
  }
  context.commit({ kind, action: 'delete', id, ...call });
  return 'deleted';
}

function usersOf({ mediaConfigs }: Records, { kind, id }: Omit<Used, 'path'>): MediaConfigRecord[] {
  const uses = ({ content_pillar: concept, items }: MediaConfigRecord) =>
    kind === 'concept'
      ? concept.id === id
      : JSON.stringify(items.map(({ assets }) => assets)).includes(`"${id}"`);
  return [...mediaConfigs.values()].filter(uses);
}
