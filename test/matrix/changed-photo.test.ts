import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listState } from '../../src/views/list-state.ts';
import { startHeldService } from '../support/held-service.ts';
import { applyPlace } from './apply.ts';
import { makePlace } from './place.ts';

const UPLOAD = 'POST /upload-media/';
const PRODUCT_ID = '00000000-0000-4000-8000-000000000001';

function success(data: unknown): object {
  return { status: 'success', message: 'ok', data };
}

it('a photo that changes between plan and upload is not sent in the place of the planned one', async () => {
  const service = await startHeldService();
  onTestFinished(() => service.close());
  const place = await makePlace(service.url);
  onTestFinished(() => place.remove());
  const photo = join(place.folder, 'tote.png');
  const bytes = await readFile(photo);
  // What follows the end of a picture does not damage it.
  const [one, other] = [1, 2].map((last) => Buffer.concat([bytes, Buffer.from([last])]));
  if (!one || !other) throw new Error('no bytes');
  await writeFile(photo, one);
  await writeFile(join(place.folder, 'side.png'), Buffer.concat([bytes, one]));
  await place.write('products:\n  tote: { images: [side.png, tote.png] }\n');

  const first = applyPlace(place);
  const upload = await service.next(UPLOAD);
  // Both change while the first answer is awaited, and keep their size: only their content tells.
  await writeFile(photo, other);
  await writeFile(join(place.folder, 'side.png'), Buffer.concat([bytes, other]));
  upload.respond(503, { status: 'failed', message: 'not now' });
  const { exit, text, state } = await first;
  expect(exit).toBe(1);
  expect(text).toMatch(
    /The photo was changed after the plan was made: (tote|side)\.png is not the one that was planned/,
  );
  expect(service.seen.filter((call) => call === UPLOAD)).toHaveLength(1);
  expect(listState(state).filter(({ status }) => status === 'done')).toEqual([]);

  const second = applyPlace(place);
  for (const name of ['1', '2'])
    (await service.next(UPLOAD)).respond(201, success(`https://cdn.example.com/${name}.png`));
  (await service.next('POST /products/')).respond(201, success({ id: PRODUCT_ID }));
  expect((await second).exit).toBe(0);
});
