import fc from 'fast-check';
import { createdRequest, type Happening, intent, PROBLEM, requested } from './fold-events.ts';

const objects = fc.constantFrom('product/a', 'product/b', 'concept/a');
const requests = fc.constantFrom('media-config/hero@1', 'media-config/hero@2');
const takes = fc.constantFrom('media/hero/1@1', 'media/hero/2@2', 'media/banner/1@1');

/** Any events in any order: a log of ours is more orderly, but the fold must not depend on that. */
export const happening: fc.Arbitrary<Happening> = fc.oneof(
  objects.map((address) => intent(address)),
  fc.constantFrom(requested(1, ['1', '2']), requested(2, ['2'])),
  fc.constantFrom(createdRequest(1), createdRequest(2, ['10'])),
  objects.map((address): Happening => ({ type: 'created', address, result: { id: 'x' } })),
  fc
    .tuple(fc.constantFrom('rejected', 'not-sent', 'throttled', 'failed'), fc.oneof(objects, requests))
    .map(([type, address]): Happening => ({ type, address, problem: PROBLEM })),
  fc
    .tuple(fc.constantFrom('not-created', 'skipped'), fc.oneof(objects, requests, takes))
    .map(([decision, address]): Happening => ({ type: 'resolved', address, decision })),
  takes.map((address): Happening => ({ type: 'generated', address, result: { id: 'm', urls: [] } })),
  fc.constantFrom<Happening>(
    { type: 'moved', moves: [{ from: 'product/a', to: 'product/b' }] },
    { type: 'moved', moves: [{ from: 'media/hero/1', to: 'media/banner/1' }] },
    { type: 'learned', name: 'media_path', value: '/media/{config.id}' },
  ),
);
