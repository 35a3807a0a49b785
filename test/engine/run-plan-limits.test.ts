import { describe, expect, it } from 'vitest';
import { startRig } from '../support/engine-rig.ts';
import { done, failed } from '../support/facts.ts';
import {
  conceptNode,
  downloadNode,
  mediaNode,
  postNodes,
  requestNode,
  uploadNode,
} from '../support/planned-nodes.ts';

function uploads(count: number) {
  return Array.from({ length: count }, (_, index) => uploadNode(String(index)));
}

function concepts(count: number) {
  return Array.from({ length: count }, (_, index) => conceptNode(String(index)));
}

describe('limits', () => {
  it('leave one slot free for polls', async () => {
    const rig = startRig({ nodes: [...uploads(9), mediaNode('hero', '1')], limits: { total: 4 } });
    await rig.clock.settle();
    expect(rig.held.held()).toEqual(['media/hero/1@1', 'upload/0', 'upload/1', 'upload/2']);
  });

  it('keep to the number of a kind', async () => {
    const rig = startRig({ nodes: [...concepts(3), ...uploads(1)], limits: { perKind: { concept: 1 } } });
    await rig.clock.settle();
    expect(rig.held.held()).toEqual(['concept/0', 'upload/0']);
    await rig.answer('concept/0');
    expect(rig.held.held()).toEqual(['concept/1', 'upload/0']);
  });

  it('keep to the requests per second, on the heap of due times', async () => {
    const rig = startRig({ nodes: uploads(3), limits: { requestsPerSecond: 2 } });
    await rig.clock.settle();
    expect(rig.held.started).toHaveLength(1);
    await rig.clock.advance(499);
    expect(rig.held.started).toHaveLength(1);
    await rig.clock.advance(1);
    expect(rig.held.started).toHaveLength(2);
    await rig.clock.advance(500);
    expect(rig.held.started).toHaveLength(3);
  });

  it('free a slot when a request has ended, before its end is durable', async () => {
    const rig = startRig({ nodes: uploads(2), limits: { total: 1 } });
    const first = await rig.held.next('upload/0');
    rig.recorder.hold();
    first.respond(done({ url: 'https://0' }));
    await rig.clock.settle();
    expect(rig.held.held()).toEqual(['upload/1']);
  });

  it('free the slot of a download once its file came, whatever becomes of it', async () => {
    const rig = startRig({ nodes: downloads(4), limits: { total: 1 } });
    const first = await rig.held.next('download/hero/0@1');
    first.answered();
    await rig.clock.settle();
    expect(rig.held.held()).toEqual(['download/hero/0@1', 'download/hero/1@1']);
    first.respond(failed('no-result'));
    await rig.clock.settle();
    expect(rig.held.held()).toEqual(['download/hero/1@1']);
  });

  it('start no download while 32 files are being checked and saved, but anything else', async () => {
    const rig = startRig({ nodes: [...downloads(40), uploadNode('a')], limits: { total: 1 } });
    const first = await rig.held.next('download/hero/0@1');
    first.answered();
    for (let n = 1; n < 32; n++) (await rig.held.next(`download/hero/${n}@1`)).answered();
    await rig.answer('upload/a');
    expect(rig.held.started).toHaveLength(32 + 1);
    first.respond(failed('no-result'));
    await rig.clock.settle();
    expect(rig.held.started.slice(33)).toEqual(['download/hero/32@1']);
  });
});

function downloads(count: number) {
  return Array.from({ length: count }, (_, index) => downloadNode('hero', String(index), { dependsOn: [] }));
}

describe('media in flight', () => {
  it('admits a request when its posts fit beside those being generated', async () => {
    const rig = startRig({
      nodes: [...postNodes('a', 2), ...postNodes('b', 2)],
      limits: { mediaInFlight: 3 },
    });
    await rig.answer('media-config/a@1');
    expect(rig.held.started).not.toContain('media-config/b@1');
    await rig.answer('media/a/1@1');
    expect(rig.held.held()).toEqual(['download/a/1@1', 'media-config/b@1', 'media/a/2@1']);
  });

  it('admits a request that is larger than the limit when nothing is in flight', async () => {
    const rig = startRig({
      nodes: [...postNodes('a', 5), ...postNodes('b', 1)],
      limits: { mediaInFlight: 3 },
    });
    await rig.clock.settle();
    expect(rig.held.held()).toEqual(['media-config/a@1']);
    await rig.answer('media-config/a@1', failed('refused'));
    expect(rig.held.held()).toEqual(['media-config/b@1']);
  });

  it('is claimed, never refused, by media of earlier runs', async () => {
    const resumed = [
      mediaNode('old', '1', { action: 'resume' }),
      mediaNode('old', '2', { action: 'resume' }),
    ];
    const rig = startRig({ nodes: [...resumed, requestNode('new')], limits: { mediaInFlight: 1 } });
    await rig.clock.settle();
    expect(rig.held.held()).toEqual(['media/old/1@1', 'media/old/2@1']);
    await rig.answer('media/old/1@1');
    expect(rig.held.held()).toEqual(['media/old/2@1']);
    await rig.answer('media/old/2@1', failed('unclear'));
    expect(rig.held.held()).toEqual(['media-config/new@1']);
  });

  it('is not claimed while a request waits for its next attempt', async () => {
    const rig = startRig({ nodes: [requestNode('a'), requestNode('b')], limits: { mediaInFlight: 1 } });
    await rig.answer('media-config/a@1', failed('not-done', { waitMs: 1000 }));
    expect(rig.held.held()).toEqual(['media-config/b@1']);
  });

  it('puts off what a run without waiting cannot submit', async () => {
    const rig = startRig({
      nodes: [...postNodes('a', 2), ...postNodes('b', 2)],
      limits: { mediaInFlight: 2 },
      waiting: 'submit-only',
    });
    await rig.answer('media-config/a@1');
    expect(await rig.ends()).toMatchObject({
      'media-config/a@1': 'done',
      'media/a/1@1': 'pending',
      'download/a/1@1': 'pending',
      'media-config/b@1': 'put-off',
      'media/b/1@1': 'put-off',
      'download/b/2@1': 'put-off',
    });
  });
});

describe('without waiting', () => {
  it('nothing is polled: what was submitted, now or earlier, ends pending', async () => {
    const rig = startRig({
      nodes: [...postNodes('a', 1), mediaNode('old', '1', { action: 'resume' })],
      waiting: 'submit-only',
    });
    await rig.answer('media-config/a@1');
    expect(await rig.ends()).toEqual({
      'media-config/a@1': 'done',
      'media/a/1@1': 'pending',
      'download/a/1@1': 'pending',
      'media/old/1@1': 'pending',
    });
    expect(rig.held.started).toEqual(['media-config/a@1']);
  });
});
