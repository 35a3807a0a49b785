/** A service that says the key and the token in whatever it says: they stay on the wire all the same. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../support/find-secret.ts';
import type { CliEnd } from '../support/run-cli.ts';
import { IS_FULL } from '../sweep/stride.ts';
import {
  API_KEY,
  type CampaignFolder,
  campaignFolder,
  PNG,
  SMALL,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';

const TOKEN = 'canary.token-91bc/77';
const SECRETS = [API_KEY, TOKEN];
const ECHO = `${API_KEY} ${TOKEN} ${encodeURIComponent(TOKEN)} ${Buffer.from(API_KEY).toString('base64')}`;
const IN_PATH = `${API_KEY}/${encodeURIComponent(TOKEN)}`;
const QUERY = `?token=${encodeURIComponent(TOKEN)}&key=${API_KEY}#${API_KEY}`;

interface Echoing {
  /** What the ids of its records hold besides a number. */
  readonly ids?: string;
  /** Every character of its JSON is written as an escape. */
  readonly spelling?: 'escapes';
  /** What becomes of the second post of a request. */
  readonly second?: 'fails' | 'expired';
  /** Status of the answers to these paths, and where they redirect to. */
  readonly refuses?: RegExp;
  readonly status?: number;
}

async function startEchoing({ ids = '', spelling, second, refuses, status = 400 }: Echoing) {
  let made = 0;
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => answer(request.method ?? '', request.url ?? '', response));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const id = () => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}${ids}`;
  const link = (name: string) => `http://${API_KEY}:x@127.0.0.1:${port}/files/${IN_PATH}/${name}${QUERY}`;

  function answer(method: string, path: string, response: http.ServerResponse): void {
    const headers = { 'x-echo': ECHO, [API_KEY]: TOKEN.length, location: `/${IN_PATH}${QUERY}`, etag: ECHO };
    const say = (code: number, body: object, type = `application/json; of="${API_KEY}"`) => {
      const text = JSON.stringify(body);
      response.writeHead(code, ECHO, { ...headers, 'content-type': type });
      response.end(spelling ? text.replace(/[a-z]/g, escaped) : text);
    };
    const more = { message: ECHO, [ECHO]: ECHO, extra: [{ [API_KEY]: TOKEN }] };
    const refused = { status: 'failed', ...more, data: [ECHO] };
    if (path === '/get_auth_token')
      return say(200, { data: { access_token: TOKEN, token_type: 'Bearer', expires_at: 3600 } });
    if (refuses?.test(`${method} ${path}`)) return say(status, refused);
    if (path.startsWith('/files/')) {
      if (second === 'expired') return say(403, refused, `text/${API_KEY}`);
      response.writeHead(200, { ...headers, 'content-type': `image/${API_KEY}` });
      response.end(PNG);
      return;
    }
    const data = dataOf(method, path);
    say(method === 'POST' ? 201 : 200, { status: 'success', ...more, data: { ...more, ...data } });
  }

  function dataOf(method: string, path: string): object {
    if (path === '/upload-media/') return { url: link('photo.png') };
    if (path === '/media-config/') {
      const items = ['image', 'carousel'].map((post_type) => ({
        id: id(),
        post_type,
        owner: ECHO,
        assets: ECHO,
      }));
      return { id: id(), items, content_pillar: { id: id(), name: ECHO } };
    }
    if (method !== 'GET') return { id: id(), name: ECHO };
    const [, , config, item = ''] = path.split('/');
    const fails = second === 'fails' && Number(item.slice(-12)) % 2 === 0;
    return {
      id: `m-${item}`,
      generate_config: config,
      status: fails ? 'failed' : 'success',
      error_message: `${ECHO} in ${link('x')}`,
      estimated_duration: ECHO,
      media_info: JSON.stringify({ note: ECHO, files: [link(`${item}.png`)] }),
    };
  }

  return { url, close: async () => void server.close() };
}

function escaped(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

const APPLY = ['apply', 'm.yaml', '--trace', 'run.har', '--log-level', 'debug'];
const READERS = ['status', 'outputs', 'plan', 'history', 'state list', 'state export', 'graph', 'doctor'];
let days = 0;

/** All in `npm run test:sweep`; as a part of `npm run test:system` two on each day, in turn. */
function readersOfDay(): readonly string[] {
  days += 1;
  return READERS.filter((_, index) => IS_FULL || index % 4 === days % 4);
}

async function startDay(echoing: Echoing) {
  const service = await untilTestEnds(startEchoing(echoing));
  const campaign = await campaignFolder(SMALL, service);
  const ends: CliEnd[] = [];
  const run = async (args: readonly string[]) => {
    const end = await campaign.run(args);
    ends.push(end);
    return end;
  };
  return { campaign, run, clean: () => expectClean(campaign, { ends, run }) };
}

async function expectClean(
  { folder }: CampaignFolder,
  { ends, run }: { ends: readonly CliEnd[]; run: (args: readonly string[]) => Promise<CliEnd> },
): Promise<void> {
  for (const reader of readersOfDay()) await run([...reader.split(' '), 'm.yaml']);
  await run(['status', 'm.yaml', '--json']);
  const texts = {
    stdout: ends.map(({ stdout }) => stdout).join('\n'),
    stderr: ends.map(({ stderr }) => stderr).join('\n'),
  };
  expect(await placesOf(SECRETS, { folder, texts })).toEqual([]);
}

/** Both spellings in `npm run test:sweep`; as a part of `npm run test:system` the harder one. */
const SPELLINGS = [{ spelling: 'escapes' }, ...(IS_FULL ? [{}] : [])] as const;

describe.each(SPELLINGS)('a service that echoes the key and the token: %j', (how) => {
  it('in all but ids: everything is made, downloaded and said without them', async () => {
    const { run, campaign, clean } = await startDay(how);
    const end = await run([...APPLY, '--json']);
    expect(end.code).toBe(0);
    expect(
      (await campaign.files()).filter((file) => file.startsWith('out/') && file.endsWith('.png')),
    ).toHaveLength(2);
    // Nothing else of an answer is in the state.
    expect(await campaign.read(STATE)).not.toMatch(/owner|extra|x-echo/);
    expect((await run(APPLY)).code).toBe(0);
    await clean();
  });

  it.each(['POST /products/', 'POST /concepts/', 'POST /media-config/'])(
    'in the refusal of %s',
    async (route) => {
      const { run, clean } = await startDay({ ...how, refuses: new RegExp(`^${route}$`) });
      const end = await run(APPLY);
      expect(end.code).toBe(1);
      expect(end.stderr + end.stdout).toContain('[redacted]');
      await clean();
    },
  );

  it('in the failure of a post', async () => {
    const { run, clean } = await startDay({ ...how, second: 'fails' });
    expect((await run(APPLY)).code).toBe(1);
    await clean();
  });

  it('in a page that comes in the place of a file', async () => {
    const { run, clean } = await startDay({ ...how, second: 'expired' });
    expect((await run(APPLY)).code).toBe(1);
    await clean();
  });

  it('in a redirect', async () => {
    const { run, clean } = await startDay({ ...how, refuses: /^POST \/concepts\/$/, status: 302 });
    await run(APPLY);
    await clean();
  });
});
it.each([API_KEY, `-${TOKEN}`, encodeURIComponent(TOKEN)])(
  'an id that holds one of them is none: %s',
  async (ids) => {
    const { run, clean } = await startDay({ ids });
    const end = await run(APPLY);
    expect(end.code).toBe(4);
    await clean();
  },
);
