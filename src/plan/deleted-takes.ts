import { type Address, mediaAddress } from '../model/address.ts';
import type { RunState } from '../model/run-state.ts';

/** Counts takes of items that were deleted, by the inputs that they were made from: deleting them makes no room for more. */
export function findDeleted({ requests }: RunState): (item: Address, fingerprint: string) => number {
  let counts: Map<string, number> | undefined;
  return (address, wanted) => {
    if (!counts) {
      counts = new Map();
      for (const { payload, deleted } of requests.values()) {
        for (const { item, fingerprint } of deleted ? payload.items : []) {
          const name = `${mediaAddress(payload.post, item)} ${fingerprint}`;
          counts.set(name, (counts.get(name) ?? 0) + 1);
        }
      }
    }
    return counts.get(`${address} ${wanted}`) ?? 0;
  };
}
