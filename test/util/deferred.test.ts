import { expect, it } from 'vitest';
import { deferred } from '../../src/util/deferred.ts';

it('is settled from outside', async () => {
  const kept = deferred<number>();
  kept.resolve(1);
  await expect(kept.promise).resolves.toBe(1);
  const broken = deferred<number>();
  broken.reject(new Error('no'));
  await expect(broken.promise).rejects.toThrow('no');
});
