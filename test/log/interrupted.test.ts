import { expect, it } from 'vitest';
import { KINDS, type ObjectKind } from '../../src/model/kinds.ts';
import { folded, intent, requested } from './fold-events.ts';

const OBJECTS = ['upload', 'product', 'concept'] as const satisfies readonly ObjectKind[];

it.each(OBJECTS)('an interrupted create of kind %s means what the table of kinds says', (kind) => {
  const status = folded(intent(`${kind}/a`)).objects.get(`${kind}/a`)?.status;
  expect(status).toBe(KINDS[kind].interrupted === 'unknown' ? 'unknown' : undefined);
});

it('an interrupted request is unknown', () => {
  expect(folded(requested(1, ['1'])).requests.get('media-config/hero@1')?.status).toBe('unknown');
});

it('what may be repeated stays as it was when it is interrupted', () => {
  const uploaded = {
    type: 'uploaded',
    address: 'upload/a',
    inputs: {},
    fingerprint: 'f0',
    result: { url: 'https://cdn/a' },
  } as const;
  expect(folded(uploaded, intent('upload/a')).objects).toEqual(folded(uploaded).objects);
});
