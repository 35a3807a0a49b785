import { describe, expect, it } from 'vitest';
import { isCreate, isSubmitting, kindHas, type NodeKind, orderOf } from '../../src/model/kinds.ts';

const KNOWN: readonly NodeKind[] = ['upload', 'product', 'concept', 'media-config', 'media', 'download'];

describe('the kinds of nodes', () => {
  it('stand in an order in which dependencies come first', () => {
    expect(KNOWN.toReversed().sort((a, b) => orderOf(a) - orderOf(b))).toEqual(KNOWN);
  });

  it('say which of them bring the service new work', () => {
    expect(KNOWN.filter(isSubmitting)).toEqual(['upload', 'product', 'concept', 'media-config']);
  });

  it('say which creates must not be sent twice', () => {
    const onlyOnce = KNOWN.filter((kind) => isCreate({ kind, action: 'create' }));
    expect(onlyOnce).toEqual(['product', 'concept', 'media-config']);
  });

  it('let every update be sent again', () => {
    expect(KNOWN.filter((kind) => isCreate({ kind, action: 'update' }))).toEqual([]);
  });

  it('say what is needed of the disk', () => {
    expect(KNOWN.filter((kind) => kindHas({ kind }, 'localFiles', 'reads'))).toEqual(['upload']);
    expect(KNOWN.filter((kind) => kindHas({ kind }, 'localFiles', 'writes'))).toEqual(['download']);
  });
});
