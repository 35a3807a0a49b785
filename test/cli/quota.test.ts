import { expect, it } from 'vitest';
import { type HeldCall, startHeldService } from '../support/held-service.ts';
import { failure } from './held-answers.ts';
import { campaignFolder, untilTestEnds } from './small-campaign.ts';

const MANY = `version: 1
name: small
products:
${Array.from({ length: 20 }, (_, n) => `  p${n}: { images: [https://cdn.example.com/${n}.jpg] }`).join('\n')}
concepts: { morning: { description: Soft light } }
posts:
  hero:
    concept: morning
    items:
${Array.from({ length: 20 }, (_, n) => `      - { post_type: image, products: [p${n}], aspect_ratio: "4:5" }`).join('\n')}
limits: { concurrency: 1 }
`;

it('a used-up quota is one line with the time to come back, and the end says it too', async () => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(MANY, service);
  const run = campaign.run(['apply', 'm.yaml']);
  const quota = (call: HeldCall) =>
    call.respond(429, failure('daily quota used up'), {
      'retry-after': '7200',
      date: 'Sun, 22 Nov 2026 06:00:00 GMT',
    });
  void service.next('POST /products/').then(quota);
  void service.next('POST /concepts/').then(quota);
  const { code, stdout, stderr } = await run;
  expect(code).toBe(3);
  expect(stderr.split('\n').filter((line) => line.includes('put off'))).toEqual([
    expect.stringMatching(/put off: .*daily quota used up; come back after \d{4}-\d\d-\d\d \d\d:\d\d UTC/),
  ]);
  expect(stdout).toMatch(
    /\nApply incomplete: 20 to request, 21 put off\.\nThe service has asked to be left alone: run again after \d{4}-\d\d-\d\d \d\d:\d\d UTC to go on\.\n\nNext:\n {2}campaign apply m\.yaml {2}requests 20 posts\n$/,
  );
});
