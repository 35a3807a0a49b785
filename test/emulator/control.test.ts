import * as http from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createConcept, startRig, type Rig } from './harness.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await startRig({ control: 'on' });
});
afterEach(() => rig.close());

/** One request to the control route; node's own client sends whatever headers it is told. */
function control(
  method: string,
  path: string,
  { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ status: number; json: unknown }> {
  return new Promise((resolve, reject) => {
    const request = http.request(new URL(`/_control/${path}`, rig.url), {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    });
    request.on('error', reject);
    request.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, json: text === '' ? undefined : JSON.parse(text) }),
      );
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const THIRD = {
  on: 'POST /concepts/',
  when: { nth: 2, until: '1h' },
  do: { fault: 'status', status: 503, retry_after: 1 },
};

describe('the control route', () => {
  it('takes orders as a profile writes them, counts and drops them', async () => {
    expect(await control('GET', 'orders')).toEqual({ status: 200, json: [] });
    expect((await control('PUT', 'orders', { body: [THIRD] })).status).toBe(200);
    await createConcept(rig);
    const refused = await rig.call('POST', '/concepts/', {});
    expect([refused.status, refused.body.message]).toEqual([503, 'Service Unavailable.']);
    expect(await control('GET', 'orders')).toEqual({
      status: 200,
      json: [{ on: 'POST /concepts/', do: 'status', calls: 2, played: 1 }],
    });
    expect((await control('DELETE', 'orders')).status).toBe(204);
    expect((await control('GET', 'orders')).json).toEqual([]);
  });

  it('shows what was asked and what was done, itself not counted', async () => {
    const { id } = await createConcept(rig);
    expect((await control('GET', 'calls')).json).toMatchObject([
      { n: 1, method: 'POST', path: '/get_auth_token', route: 'POST /get_auth_token', status: 200 },
      { n: 2, method: 'POST', path: '/concepts/', route: 'POST /concepts/', status: 201 },
    ]);
    expect((await control('GET', 'ledger')).json).toMatchObject([
      { n: 1, kind: 'concept', action: 'create', id },
    ]);
  });

  it('changes switches', async () => {
    expect((await control('PATCH', 'switches', { body: { create_status: 200 } })).status).toBe(204);
    expect((await rig.call('POST', '/concepts/', { name: 'x', description: null })).status).toBe(200);
  });

  it.each([
    [
      [{ on: 'POST /concept/', do: { fault: 'status', status: 503 } }],
      /^\/0\/on: must be equal to one of the allowed values \(POST \/get_auth_token, /,
    ],
    [[{ on: '*', do: { fault: 'explode' } }], /^\/0\/do: value of tag "fault" must be in oneOf$/],
    [[{ on: '*', do: { fault: 'cut' } }], /^\/0\/do: must have required property 'effect'$/],
    [
      [{ on: '*', when: { after: 'soon' }, do: { fault: 'cut', effect: 'after' } }],
      /^\/0\/when\/after: must match pattern/,
    ],
    [
      [{ on: '*', do: { fault: 'generation', how: 'stuck' } }],
      /^\/0: The fault `generation` happens to a post/,
    ],
    [{}, /^\/: must be array$/],
  ])('refuses %j', async (body, message) => {
    const answer = await control('PUT', 'orders', { body });
    expect(answer).toMatchObject({
      status: 400,
      json: { status: 'failed', message: expect.stringMatching(message) },
    });
  });

  it('refuses switches that there are not', async () => {
    const answer = await control('PATCH', 'switches', { body: { media_paths: 1 } });
    expect(answer).toMatchObject({
      status: 400,
      json: { message: '/: must NOT have additional properties (media_paths)' },
    });
  });

  it.each([
    ['a page', { origin: 'http://127.0.0.1' }],
    ['a page without origin', { origin: 'null' }],
    ['a name that points here', { host: 'evil.example.com:4010' }],
  ])('refuses %s', async (_who, headers) => {
    expect((await control('DELETE', 'orders', { headers })).status).toBe(403);
    expect((await control('GET', 'ledger', { headers })).status).toBe(403);
  });

  it('is not there unless it is asked for', async () => {
    await rig.close();
    rig = await startRig();
    for (const path of ['orders', 'calls', 'ledger']) expect((await control('GET', path)).status).toBe(404);
    expect((await control('PUT', 'orders', { body: [THIRD] })).status).toBe(404);
    expect((await control('PATCH', 'switches', { body: {} })).status).toBe(404);
  });
});
