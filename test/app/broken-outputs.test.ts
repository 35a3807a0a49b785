import { describe, expect, it } from 'vitest';
import { planBroken } from '../../src/app/broken-outputs.ts';
import { listOutputs } from '../../src/views/list-outputs.ts';
import { createdRequest, folded, type Happening, requested } from '../log/fold-events.ts';

describe('files that are not as they were recorded', () => {
  const TAKE = 'media/hero/tour@1';
  const files = ['out/tour-1.png', '../tour-2.png', 'out/tour-3.png'].map((path, n) => ({
    path,
    sha256: String(n).repeat(64),
    bytes: 3,
    contentType: 'image/png',
  }));
  const finished: readonly Happening[] = [
    requested(1, ['tour']),
    createdRequest(1),
    { type: 'generated', address: TAKE, result: { id: 'm-1', urls: [] } },
    { type: 'downloaded', address: 'download/hero/tour@1', result: { media: 'm-1', files } },
  ];
  const whyNot = (path: string) => (path.startsWith('../') ? 'outside' : undefined);

  it('become one node for each take, with their places among its files', () => {
    const state = folded(...finished);
    const rows = [...listOutputs(state)].slice(1);
    const { nodes, wanted, problems } = planBroken(rows, state, whyNot);
    expect(nodes).toMatchObject([
      {
        address: 'download/hero/tour@1',
        kind: 'download',
        action: 'resume',
        dependsOn: [TAKE, 'media-config/hero@1'],
        payload: { post: 'hero', item: 'tour', take: 1, requestedAs: 'tour', older: [] },
      },
    ]);
    expect([...wanted]).toEqual([['download/hero/tour@1', [{ ...files[2], place: 2 }]]]);
    expect([...problems]).toMatchObject([
      ['../tour-2.png', { summary: 'Its path leads out of the folder of the manifest' }],
    ]);
  });

  it('cannot be asked for once their request was forgotten', () => {
    const rows = [...listOutputs(folded(...finished))];
    const forgotten = folded(...finished, { type: 'forgotten', address: 'media-config/hero@1' });
    const { nodes, problems } = planBroken(rows, forgotten, whyNot);
    expect(nodes).toEqual([]);
    expect(new Set([...problems.values()].map(({ summary }) => summary))).toEqual(
      new Set(['The state does not know its request any more']),
    );
  });
});
