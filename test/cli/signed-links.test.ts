/** Whoever has a signed link has the file: it is followed, and neither kept nor said. */
import { expect, it } from 'vitest';
import { placesOf } from '../support/find-secret.ts';
import { startHeldService } from '../support/held-service.ts';
import { CONFIG, ID, medium, success } from './held-answers.ts';
import { campaignFolder, PNG, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const QUERY = '?expires=1&signature=canary-link';
const APPLY = ['apply', 'm.yaml', '--trace', 'run.har', '--log-level', 'debug', '--yes'];
const POLL = `GET /media/${ID.config}/${ID.item}/`;

interface StateLine {
  readonly event?: { readonly type: string; readonly result?: object };
}

it('signed links are used in the run that got them, asked for again in any other, and stand in no file', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SINGLE, service);
  const upload = `https://user:canary-link@cdn.example.com/tote.png${QUERY}`;
  const file = `/files/1.png${QUERY}`;
  const texts = { stdout: '', stderr: '' };
  const start = (args = APPLY) =>
    campaign.run(args).then(({ code, stdout, stderr }) => {
      texts.stdout += stdout;
      texts.stderr += stderr;
      return { code, stdout };
    });
  const results = async (type: string) =>
    (await campaign.read(STATE))
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as StateLine).event)
      .flatMap((event) => (event?.type === type && event.result ? [event.result] : []));

  // Everything is made in one run: what the upload gave is sent on as it came.
  const first = start();
  (await service.next('POST /upload-media/')).respond(200, success(upload));
  (await service.next('POST /concepts/')).respond(201, success({ id: ID.concept }));
  const product = await service.next('POST /products/');
  expect(JSON.parse(product.body)).toMatchObject({ media_urls: [{ type: 'image', url: upload }] });
  product.respond(201, success({ id: ID.product }));
  const request = await service.next('POST /media-config/');
  expect(JSON.parse(request.body)).toMatchObject({ items: [{ assets: [{ url: upload }] }] });
  request.respond(201, CONFIG);
  const done = medium('success', { media_info: JSON.stringify([`${service.url}${file}`]) });
  (await service.next(POLL)).respond(200, done);
  // The link that the poll just gave: nobody asks for another one.
  (await service.next(`GET ${file}`)).respondRaw(200, PNG, { 'content-type': 'image/png' });
  expect(await first).toMatchObject({ code: 0 });
  expect(await results('uploaded')).toEqual([{}]);
  expect(await results('created')).toContainEqual({ id: ID.product });
  expect(await results('generated')).toEqual([{ id: ID.media, urls: [`${service.url}/files/1.png`] }]);
  const { length } = service.seen;

  expect(await start(['apply', 'm.yaml'])).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('No changes'),
  });
  expect(service.seen.slice(length)).toEqual([]);

  // A request needs the product's first image: it is read, used and not kept.
  await campaign.write('m.yaml', SINGLE.replace('"4:5"', '"1:1"'));
  const second = start();
  const read = `https://cdn.example.com/tote.png${QUERY}&again`;
  const got = await service.next(`GET /products/${ID.product}/`);
  got.respond(200, success({ id: ID.product, media_urls: [{ type: 'image', url: read }] }));
  const again = await service.next('POST /media-config/');
  expect(JSON.parse(again.body)).toMatchObject({ items: [{ assets: [{ url: read }] }] });
  const config = '00000000-0000-4000-8000-000000000013';
  const item = '00000000-0000-4000-8000-000000000014';
  again.respond(201, success({ id: config, items: [{ id: item, post_type: 'image' }] }));
  const next = { id: '00000000-0000-4000-8000-000000000015', generate_config: config, status: 'success' };
  const links = (more: string) => ({ ...next, media_info: `${service.url}${file}${more}` });
  const poll = `GET /media/${config}/${item}/`;
  (await service.next(poll)).respond(200, success(links('&2')));
  // It has expired meanwhile: a fresh one is asked for.
  (await service.next(`GET ${file}&2`)).respond(403, { message: `expired: ${service.url}${file}&2` });
  (await service.next(poll)).respond(200, success(links('&3')));
  (await service.next(`GET ${file}&3`)).respondRaw(200, PNG, { 'content-type': 'image/png' });
  expect(await second).toMatchObject({ code: 0 });

  // A new concept needs the photo's URL: the photo is uploaded again, which costs nothing.
  await campaign.write(
    'm.yaml',
    SINGLE.replace('"4:5"', '"1:1"').replace('Soft light', 'Soft light, ref_images: [tote.png]'),
  );
  const third = start(['apply', 'm.yaml', '--exclude', 'media/*', '--yes']);
  (await service.next('POST /upload-media/')).respond(200, success(`${upload}&3`));
  const concept = await service.next(`PUT /concepts/${ID.concept}/`);
  expect(JSON.parse(concept.body)).toMatchObject({ ref_images: [{ url: `${upload}&3` }] });
  concept.respond(200, success({ id: ID.concept }));
  expect(await third).toMatchObject({ code: 0 });

  for (const reader of ['status', 'outputs', 'state list', 'state export', 'history'])
    await start([...reader.split(' '), 'm.yaml']);
  expect(texts.stdout).toContain('/files/1.png');
  expect(await placesOf(['canary-link'], { folder: campaign.folder, texts })).toEqual([]);
});
