import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { CONFIG, ID, makeUpstream, success } from './held-answers.ts';
import { campaignFolder, SINGLE, untilTestEnds } from './small-campaign.ts';

it('what on_unknown: retry may have made twice is told by the state itself', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(`${SINGLE}service: { on_unknown: { product: retry } }\n`, service);
  const first = campaign.run(['apply', 'm.yaml']);
  await makeUpstream(service);
  (await service.next('POST /products/')).reset();
  expect(await first).toMatchObject({ code: 4 });

  const second = campaign.run(['apply', 'm.yaml', '--no-wait']);
  (await service.next('POST /products/')).respond(201, success({ id: ID.product }));
  (await service.next('POST /media-config/')).respond(201, CONFIG);
  expect(await second).toMatchObject({ code: 3 });

  const shown = await campaign.run(['state', 'show', 'm.yaml', 'product/tote', '--json']);
  expect(JSON.parse(shown.stdout)).toMatchObject({
    status: 'done',
    result: { id: ID.product },
    possible_duplicates: [
      {
        at: expect.stringMatching(/^\d{4}-/),
        evidence: { summary: 'The service did not answer', request: 'POST /products/' },
      },
    ],
  });
  const exported = JSON.parse((await campaign.run(['state', 'export', 'm.yaml'])).stdout) as object;
  const file = join(import.meta.dirname, '..', '..', 'schemas', 'state-export.schema.json');
  const validate = new Ajv2020({ allErrors: true }).compile(
    JSON.parse(await readFile(file, 'utf8')) as object,
  );
  validate(exported);
  expect(validate.errors ?? []).toEqual([]);
});
