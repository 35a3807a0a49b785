import { describe, expect, it } from 'vitest';
import { isCreate, isSubmitting, kindHas, KINDS, type NodeKind, orderOf } from '../../src/model/kinds.ts';

const kinds = Object.keys(KINDS) as NodeKind[];

describe('the kinds of nodes', () => {
  it('stand in an order in which dependencies come first', () => {
    expect(kinds.toReversed().sort((a, b) => orderOf(a) - orderOf(b))).toEqual([
      'upload',
      'product',
      'concept',
      'media-config',
      'media',
      'download',
    ]);
  });

  it('say which of them bring the service new work', () => {
    expect(kinds.filter(isSubmitting)).toEqual(['upload', 'product', 'concept', 'media-config']);
  });

  it('say which creates must not be sent twice', () => {
    const onlyOnce = kinds.filter((kind) => isCreate({ kind, action: 'create' }));
    expect(onlyOnce).toEqual(['product', 'concept', 'media-config']);
  });

  it('let every update be sent again', () => {
    expect(kinds.filter((kind) => isCreate({ kind, action: 'update' }))).toEqual([]);
  });

  it('say what is needed of the disk', () => {
    expect(kinds.filter((kind) => kindHas({ kind }, 'localFiles', 'reads'))).toEqual(['upload']);
    expect(kinds.filter((kind) => kindHas({ kind }, 'localFiles', 'writes'))).toEqual(['download']);
  });
});
