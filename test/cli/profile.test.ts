import { describe, expect, it } from 'vitest';
import { campaignFolder, SMALL } from './small-campaign.ts';

const APPLY = ['apply', 'm.yaml', '--env', 'emulator', '--profile'];

describe('--profile', () => {
  it('plays the profile of a file', async () => {
    const campaign = await campaignFolder(SMALL);
    await campaign.write(
      'lost.yaml',
      'description: The answer to the concept is lost.\norders:\n  - { on: POST /concepts/, do: { fault: cut, effect: after } }\n',
    );
    const { code, stderr } = await campaign.run([...APPLY, 'lost.yaml']);
    expect([code, stderr]).toEqual([4, expect.stringContaining('concept/morning')]);
    const ledger = await campaign.read('.campaign/small.emulator.data/ledger.jsonl');
    expect(ledger.match(/"kind":"concept"/g)).toHaveLength(1);
    expect(await campaign.run(['apply', 'm.yaml', '--env', 'emulator'])).toMatchObject({ code: 4 });
  });

  it('plays one that comes with campaign', async () => {
    const campaign = await campaignFolder(SMALL);
    expect(await campaign.run([...APPLY, 'calm'])).toMatchObject({ code: 0 });
  });

  it('is for the emulator only', async () => {
    const campaign = await campaignFolder(SMALL, { url: 'http://127.0.0.1:9/api' });
    expect(await campaign.run(['apply', 'm.yaml', '--profile', 'flaky'])).toEqual({
      code: 64,
      signal: null,
      stdout: '',
      stderr: `error: A profile is for the emulator only [profile-without-emulator]
  --profile says how the embedded emulator behaves, and the environment default is another service. Take --env emulator, or leave --profile out.

`,
    });
  });

  it('knows its names', async () => {
    const campaign = await campaignFolder(SMALL);
    const stderr = `error: Unknown profile [unknown-profile]
  There is no profile "flakey". Did you mean "flaky"? Known profiles: bad-generation, calm, expiring-tokens, flaky, garbage, outage, quota, slow, throttled. A profile of your own is a file: name it with its ending, .yaml.

`;
    expect(await campaign.run([...APPLY, 'flakey'])).toMatchObject({ code: 64, stdout: '', stderr });
    expect(await campaign.run(['emulator', '--profile', 'flakey'])).toMatchObject({
      code: 64,
      stdout: '',
      stderr,
    });
  });

  it('tells every mistake with its place', async () => {
    const campaign = await campaignFolder(SMALL);
    await campaign.write('bad.yaml', MISTAKES);
    const { code, stdout, stderr } = await campaign.run([...APPLY, 'bad.yaml']);
    expect([code, stdout]).toEqual([65, '']);
    expect(stderr).toBe(TOLD);
    await campaign.write(
      'never.yaml',
      'description: x\norders: [{ on: generation, do: { fault: delay, time: 1s } }]\n',
    );
    expect((await campaign.run([...APPLY, 'never.yaml'])).stderr).toBe(NEVER);
    expect((await campaign.run([...APPLY, 'nowhere.yaml'])).stderr).toBe(NOWHERE);
  });
});

describe('campaign emulator', () => {
  it('serves a profile, and takes orders where it is asked to', async () => {
    const campaign = await campaignFolder(SMALL);
    await campaign.write('odd.yaml', 'description: Creates say 200.\nswitches: { create_status: 200 }\n');
    const flags = ['--profile', 'odd.yaml', '--seed', 'monday', '--control'];
    const cli = campaign.start(['emulator', ...flags]);
    const orders = (await cli.seen(/^Orders: /)).replace(/^Orders: +/, '');
    expect(await (await fetch(orders)).json()).toEqual([]);
    cli.process.kill('SIGINT');
    const { code, stdout } = await cli.end;
    const { origin } = new URL(orders);
    expect([code, stdout]).toEqual([
      0,
      `The emulator serves ${origin}/api
Profile: Creates say 200.
Orders:  ${origin}/_control/orders

  CAMPAIGN_BASE_URL=${origin}/api CAMPAIGN_API_KEY=any-text campaign apply campaign.yaml

Ctrl-C ends it.
`,
    ]);
  });

  it('has no control route otherwise', async () => {
    const campaign = await campaignFolder(SMALL);
    const cli = campaign.start(['emulator', '--json']);
    const line = JSON.parse(await cli.seen(/^\{/)) as { url: string; control?: string };
    expect(Object.keys(line)).toEqual(['url']);
    expect((await fetch(new URL('/_control/orders', line.url))).status).toBe(404);
    cli.process.kill('SIGINT');
    expect(await cli.end).toMatchObject({ code: 0 });
  });

  it('tells of requests that no endpoint was meant by', async () => {
    const campaign = await campaignFolder(SMALL);
    const cli = campaign.start(['emulator', '--json']);
    const { url } = JSON.parse(await cli.seen(/^\{/)) as { url: string };
    await fetch(`${url}//products/?key=secret`, { method: 'POST' });
    await fetch(new URL('/products/', url), { method: 'POST' });
    await fetch(new URL('/%c2%9b/%1b[2J', url));
    await fetch(`${url}/products/`, { method: 'POST' });
    cli.process.kill('SIGINT');
    expect(await cli.end).toMatchObject({
      code: 0,
      stderr: `POST /api//products/ is no endpoint. The path has two slashes in a row: does the base URL end with one too many?
POST /products/ is no endpoint. Every path begins with /api/: does the base URL lack it?
GET /%c2%9b/%1b[2J is no endpoint. Every path begins with /api/: does the base URL lack it?
`,
    });
  });
});

const MISTAKES = `switches:
  media_path: item
  token_live: 2s
  latency: fast
orders:
  - on: POST /product/
    do: { fault: status, status: 200 }
  - on: [POST /products/, everything]
    when: { share: 5 }
    do: { fault: cutt }
  - on: "*"
    do: { fault: cut, reset: yes }
  - on: "*"
    do: { effect: before }
  - do: { fault: silence, effect: during }
`;
const TOLD = `error: Key is missing [missing-key]
  at bad.yaml:1:1
    |
  1 | switches:
    | ^^^^^^^^
  \`description\` is missing here. What the profile rehearses, in one line. For example: description: The service is down for a minute.

error: Value is not allowed [invalid-value]
  at bad.yaml:2:15
    |
  2 |   media_path: item
    |               ^^^^
  "item" is not possible here. Possible values: config-item, concept-item, item-config.

error: Unknown key [unknown-key]
  at bad.yaml:3:3
    |
  3 |   token_live: 2s
    |   ^^^^^^^^^^
  There is no key "token_live" here, and passing over it could hide a mistake. Did you mean "token_life"?

error: Value is not allowed [invalid-value]
  at bad.yaml:4:12
    |
  4 |   latency: fast
    |            ^^^^
  A duration is a number with its unit: ms, s, m, h or d. For example: 20ms

error: Value is not allowed [invalid-value]
  at bad.yaml:6:9
    |
  6 |   - on: POST /product/
    |         ^^^^^^^^^^^^^^
  "POST /product/" is not possible here. Possible values: POST /get_auth_token, POST /upload-media/, POST /products/, GET /products/{id}/, PUT /products/{id}/, PATCH /products/{id}/, DELETE /products/{id}/, POST /concepts/, PUT /concepts/{id}/, DELETE /concepts/{id}/, POST /media-config/, GET /media-config/{id}/, DELETE /media-config/{id}/, GET /media/{id}/{id}/, GET /files/{id}, *, generation. Did you mean "POST /products/"?

error: Value is not allowed [invalid-value]
  at bad.yaml:7:34
    |
  7 |     do: { fault: status, status: 200 }
    |                                  ^^^
  This must be at least 400. The status of the answer. For example: 503

error: Value is not allowed [invalid-value]
  at bad.yaml:8:27
    |
  8 |   - on: [POST /products/, everything]
    |                           ^^^^^^^^^^
  "everything" is not possible here. Possible values: POST /get_auth_token, POST /upload-media/, POST /products/, GET /products/{id}/, PUT /products/{id}/, PATCH /products/{id}/, DELETE /products/{id}/, POST /concepts/, PUT /concepts/{id}/, DELETE /concepts/{id}/, POST /media-config/, GET /media-config/{id}/, DELETE /media-config/{id}/, GET /media/{id}/{id}/, GET /files/{id}, *, generation.

error: Value is not allowed [invalid-value]
  at bad.yaml:9:20
    |
  9 |     when: { share: 5 }
    |                    ^
  This must be at most 1. This part of the calls, drawn at random: 0.05 for 5 %. For example: 0.05

error: Value is not allowed [invalid-value]
  at bad.yaml:10:18
     |
  10 |     do: { fault: cutt }
     |                  ^^^^
  "cutt" is not possible here. Possible values: status, delay, cut, silence, half-body, framing, drip, body, redirect, generation. Did you mean "cut"?

error: Key is missing [missing-key]
  at bad.yaml:12:5
     |
  12 |     do: { fault: cut, reset: yes }
     |     ^^
  \`effect\` is missing here. Before: the request changes nothing. After: it is carried out, and only its answer suffers. For example: effect: after

error: Wrong kind of value [wrong-type]
  at bad.yaml:12:30
     |
  12 |     do: { fault: cut, reset: yes }
     |                              ^^^
  This must be true or false, but it is a text. For example: true

error: Key is missing [missing-key]
  at bad.yaml:14:5
     |
  14 |     do: { effect: before }
     |     ^^
  \`fault\` is missing here. Possible values: status, delay, cut, silence, half-body, framing, drip, body, redirect, generation.

error: Key is missing [missing-key]
  at bad.yaml:15:5
     |
  15 |   - do: { fault: silence, effect: during }
     |     ^^
  \`on\` is missing here. Which calls: an endpoint with every id written {id}, a list of these, "*" for every endpoint, or generation for the making of a post. For example: on: POST /products/

error: Value is not allowed [invalid-value]
  at bad.yaml:15:35
     |
  15 |   - do: { fault: silence, effect: during }
     |                                   ^^^^^^
  "during" is not possible here. Possible values: before, after.

`;
const NEVER = `error: Value is not allowed [invalid-value]
  at never.yaml:2:16
    |
  2 | orders: [{ on: generation, do: { fault: delay, time: 1s } }]
    |                ^^^^^^^^^^
  To the making of a post only the fault \`generation\` can happen. Write the endpoint that it is meant for.

`;
const NOWHERE = `error: File cannot be read [cannot-read]
  nowhere.yaml: There is no such file. Check the name, and that a link does not lead nowhere.

`;
