/** What could let the key or a token out of the process is refused, or said without it. */
import { expect, it } from 'vitest';
import { startHeldService } from '../support/held-service.ts';
import { makeRequest, medium, POLL } from './held-answers.ts';
import { API_KEY, campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

it.each([
  ['http,net,tls', 'http,net,tls'],
  ['HTTP', 'HTTP'],
  ['*', '*'],
  ['ht*', 'ht*'],
  ['fs, undici', 'undici'],
])('NODE_DEBUG=%s would print the token: no request is sent', async (written, named) => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SINGLE, service);
  const { code, stderr } = await campaign.run(['apply', 'm.yaml'], { NODE_DEBUG: written, DEBUG: '*' });
  expect(code).toBe(78);
  expect(stderr).toContain(`error: NODE_DEBUG=${named} is refused [node-debug]
  With it Node prints every request with its headers, so the token too. Unset it; \`--trace FILE\` writes down every request and answer without secrets.
`);
  expect(service.seen).toEqual([]);
});

it('NODE_DEBUG of a part that tells nothing is none of our business', async () => {
  const campaign = await campaignFolder(SINGLE, await untilTestEnds(startHeldService()));
  const { code, stderr } = await campaign.run(['doctor', 'm.yaml', '--json'], { NODE_DEBUG: 'timer' });
  expect([code, stderr]).not.toContain('node-debug');
});

it.each(['doctor', 'resolve'])('%s refuses it too', async (command) => {
  const service = await untilTestEnds(startHeldService());
  const campaign = await campaignFolder(SINGLE, service);
  const run = campaign.run(['apply', 'm.yaml']);
  (await service.next('POST /upload-media/')).respond(201, {
    data: { url: 'https://files.example.com/1.png' },
  });
  const [product, concept] = await Promise.all([
    service.next('POST /products/'),
    service.next('POST /concepts/'),
  ]);
  product.reset();
  concept.respond(400, {});
  expect((await run).code).toBe(4);
  const seen = service.seen.length;
  const id = '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f';
  const args = command === 'doctor' ? [] : ['product/tote', '--id', id];
  const end = await campaign.run([command, 'm.yaml', ...args], { NODE_DEBUG: 'http' });
  expect(end.code).toBe(78);
  expect(end.stdout + end.stderr).toContain('NODE_DEBUG=http is refused');
  expect(service.seen).toHaveLength(seen);
});

it.each([
  ['CAMPAIGN_API_KEY', 'seven77'],
  ['CAMPAIGN_API_KEY', 'a'],
])('a key in %s that is shorter than 8 characters is refused: %s', async (variable, key) => {
  const campaign = await campaignFolder(SINGLE, { url: 'http://127.0.0.1:9' });
  for (const command of ['apply', 'doctor']) {
    const { code, stdout, stderr } = await campaign.run([command, 'm.yaml'], { [variable]: key });
    expect(code).toBe(78);
    expect(stdout + stderr).toContain(`What stands in ${variable} has fewer than 8 characters.`);
    expect(stdout + stderr).not.toContain('seven77');
  }
});

it('a short key in a file is refused as well', async () => {
  const campaign = await campaignFolder(SINGLE);
  await campaign.write('key.txt', 'seven77\n');
  const env = { CAMPAIGN_BASE_URL: 'http://127.0.0.1:9', CAMPAIGN_API_KEY_FILE: 'key.txt' };
  const { code, stderr } = await campaign.run(['apply', 'm.yaml'], env);
  expect([code, stderr]).toEqual([
    78,
    expect.stringContaining(
      'What stands in the file key.txt (CAMPAIGN_API_KEY_FILE) has fewer than 8 characters.',
    ),
  ]);
});

it.each([
  ['two lines', '# of stage\ncanary-key-5f1d\n'],
  ['UTF-16', Buffer.from('\uFEFFcanary-key-5f1d\r\n', 'utf16le')],
])(
  'a key file that holds more than the key is refused, as only the whole of it would be taken out: %s',
  async (_, content) => {
    const campaign = await campaignFolder(SINGLE);
    await campaign.write('key.txt', content);
    const env = { CAMPAIGN_BASE_URL: 'http://127.0.0.1:9', CAMPAIGN_API_KEY_FILE: 'key.txt' };
    const { code, stderr } = await campaign.run(['apply', 'm.yaml'], env);
    expect([code, stderr]).toEqual([
      78,
      expect.stringContaining(
        'What stands in the file key.txt (CAMPAIGN_API_KEY_FILE) has more than one line, ',
      ),
    ]);
  },
);

it('a token inside a refused link is neither said nor stored', async () => {
  const token = () => ({ access_token: 'canary-token-3e1f', expires_at: 3600 });
  const service = await untilTestEnds(startHeldService({ token }));
  const campaign = await campaignFolder(SINGLE, service);
  const run = campaign.run(['apply', 'm.yaml']);
  await makeRequest(service);
  const echo = `http://user:canary-token-3e1f@files.example.com/canary-token-3e1f/${API_KEY}.png?t=canary-token-3e1f`;
  (await service.next(POLL)).respond(200, medium('success', { media_info: echo }));
  const { code, stdout, stderr } = await run;
  expect(code, stderr).toBe(1);
  expect(stderr).toContain(
    'GET http://files.example.com/[redacted]/[redacted].png: not fetched (only https is fetched)',
  );
  const ends = (await campaign.read(STATE)).split('\n').filter((line) => line.includes('"failed"'));
  expect([stdout, stderr, ...ends].join('\n')).not.toMatch(/canary-(token|key)/);
});
