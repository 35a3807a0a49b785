/** A run that is stopped does not wait for a store that is in trouble: what it sent may be sent again by the next one. */
import { expect, it, onTestFinished } from 'vitest';
import { createS3Store } from '../../src/storage/s3-store.ts';
import { readStorageUrl } from '../../src/storage/storage-url.ts';
import { type Clock, realClock } from '../../src/util/clock.ts';
import { type Lie, startLyingS3 } from '../support/lying-s3.ts';
import { S3_KEYS } from '../support/s3-server.ts';

const WAIT: Lie = { status: 503, headers: { 'retry-after': '600' } };

async function open(meet: () => void, clock: Clock = realClock) {
  const front = await startLyingS3(0, () => {
    meet();
    return WAIT;
  });
  const place = readStorageUrl('s3://bucket', { ...S3_KEYS, AWS_ENDPOINT_URL_S3: front.url });
  if (!place.ok || place.value.type !== 's3') throw new Error(JSON.stringify(place));
  const store = createS3Store(place.value.settings, { clock, deadlines: realClock, random: () => 0 });
  onTestFinished(async () => {
    store.close();
    await front.close();
  });
  return { store, seen: front.seen };
}

it('while a request is under way', async () => {
  const stop = new AbortController();
  const { store, seen } = await open(() => stop.abort());
  expect(await store.read('outputs/a.png', undefined, stop.signal)).toMatchObject({ ok: false });
  expect(seen).toHaveLength(1);
});

it('while it waits to send one again', async () => {
  const stop = new AbortController();
  const after: Clock['after'] = (ms, fire) => {
    queueMicrotask(() => stop.abort());
    return realClock.after(ms, fire);
  };
  const { store, seen } = await open(() => {}, { ...realClock, after });
  expect(await store.read('outputs/a.png', undefined, stop.signal)).toMatchObject({ ok: false });
  expect(seen).toHaveLength(1);
});
