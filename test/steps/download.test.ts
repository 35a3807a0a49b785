import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadPayload } from '../../src/model/payload.ts';
import type { Action, PlannedNode } from '../../src/model/plan.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { Client } from '../../src/service/client.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import { downloadStep } from '../../src/steps/download.ts';
import { createLinks } from '../../src/steps/links.ts';
import { createMediaLookup } from '../../src/steps/media-lookup.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import type { Json } from '../../src/util/json.ts';
import { err, ok } from '../../src/util/result.ts';
import { film, noisyPicture } from '../support/media-samples.ts';
import {
  createIo,
  jobOf,
  MADE,
  mediaRecord,
  NOT_THERE,
  REQUESTED,
  serviceError,
  signal,
} from './step-rig.ts';

const PNG = (await noisyPicture('png', 8)).toString('latin1');
const JPG = (await noisyPicture('jpeg', 8)).toString('latin1');
const MP4 = film(20).toString('latin1');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campaign-download-'));
});
afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

function downloadNode(action: Action = 'create', payload: Partial<DownloadPayload> = {}): PlannedNode {
  const place = { post: 'hero', item: '1', take: 1, request: 'media-config/hero@1', requestedAs: '1' };
  return {
    address: 'download/hero/1@1',
    kind: 'download',
    action,
    reasons: [],
    dependsOn: ['media/hero/1@1', 'media-config/hero@1'],
    payload: { ...place, path: 'out/hero/1-image', older: [], ...payload },
  };
}

/** A client that has these contents under their URLs; a ServiceError in their place is what it answers. */
function clientOf(contents: Record<string, string | ServiceError>, fresh: readonly string[] = []) {
  const fetched: string[] = [];
  const client: Pick<Client, 'download' | 'getMedia'> = {
    download: async ({ url, path }) => {
      fetched.push(url);
      const content = contents[url] ?? NOT_THERE;
      if (typeof content !== 'string') return err(content);
      const bytes = Buffer.from(content, 'latin1');
      await writeFile(path, bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      return ok({ bytes: bytes.length, sha256, contentType: 'text/html', isEndTold: true });
    },
    getMedia: async () => ok(mediaRecord({ status: 'success', media_info: JSON.stringify(fresh) })),
  };
  return { client, fetched };
}

interface Attempt {
  readonly node?: PlannedNode;
  readonly urls?: readonly string[];
  readonly attempt?: number;
  readonly memo?: Json | undefined;
  readonly io?: Partial<StepIo>;
}

function run(
  client: Partial<Client>,
  { node = downloadNode(), urls = [], attempt = 1, memo, io = {} }: Attempt,
) {
  const lookup = createMediaLookup('/media/{config.id}/{item.id}/');
  const results = { ...REQUESTED, 'media/hero/1@1': { id: 'm-1', urls } };
  const links = createLinks((text) => text);
  links.keep('media/hero/1@1', urls);
  const step = downloadStep(
    createIo(client, { place: { folder, dir: 'out', outside: 'refuse' }, lookup, links, ...io }),
  );
  return step.run(jobOf(node, { results, attempt, ...(memo === undefined ? {} : { memo }) }), signal);
}

const sha = (text: string) => createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex');
const memoOf = ({ memo }: Facts) => memo;
const tree = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

describe('a download', () => {
  it('takes its name when it is whole, with the extension of its content', async () => {
    const { client, fetched } = clientOf({ 'https://files/1': PNG });
    expect(await run(client, { urls: ['https://files/1'] })).toEqual({
      came: 'result',
      sent: 'yes',
      result: {
        media: 'm-1',
        files: [
          { path: 'out/hero/1-image.png', sha256: sha(PNG), bytes: PNG.length, contentType: 'image/png' },
        ],
      },
    });
    expect(fetched).toEqual(['https://files/1']);
    expect(await tree()).toEqual(['1-image.png']);
    expect(await readFile(join(folder, 'out/hero/1-image.png'), 'latin1')).toBe(PNG);
  });

  it('of several files numbers them in their order', async () => {
    const { client } = clientOf({ 'https://files/1': PNG, 'https://files/2': JPG, 'https://files/3': MP4 });
    const urls = ['https://files/1', 'https://files/2', 'https://files/3'];
    expect(await run(client, { urls })).toMatchObject({
      result: {
        files: [
          { path: 'out/hero/1-image-1.png', contentType: 'image/png' },
          { path: 'out/hero/1-image-2.jpg', contentType: 'image/jpeg' },
          { path: 'out/hero/1-image-3.mp4', contentType: 'video/mp4' },
        ],
      },
    });
    expect(await tree()).toEqual(['1-image-1.png', '1-image-2.jpg', '1-image-3.mp4']);
  });

  it('makes older takes step aside', async () => {
    await mkdir(join(folder, 'out/hero'), { recursive: true });
    await writeFile(join(folder, 'out/hero/1-image.png'), 'old');
    const old = { path: 'out/hero/1-image.png', sha256: sha('old'), bytes: 3, contentType: 'image/png' };
    const { client } = clientOf({ 'https://files/1': PNG });
    const node = downloadNode('replace', {
      older: [{ take: 1, path: 'out/hero/1-image.take1', files: [old] }],
    });
    expect(await run(client, { node, urls: ['https://files/1'] })).toMatchObject({
      result: { renamed: [{ take: 1, files: [{ ...old, path: 'out/hero/1-image.take1.png' }] }] },
    });
    expect(await tree()).toEqual(['1-image.png', '1-image.take1.png']);
  });

  it('of nothing says which setting helps', async () => {
    expect(await run({}, {})).toEqual({
      came: 'no-result',
      sent: 'yes',
      problem: {
        summary: 'The finished post names no file',
        detail: 'Its media_info holds no link to a file; service.media_urls can say where they stand.',
      },
    });
  });

  it.each([
    { what: 'a page', content: '<html>', why: '6 bytes: it is an HTML page.', kept: true },
    { what: 'nothing', content: '', why: '0 bytes: it is empty.', kept: false },
    { what: 'JSON', content: '{"error":1}', why: '11 bytes: it is JSON.', kept: true },
  ])('of $what is fetched once more, and what came is no result', async ({ content, why, kept }) => {
    const { client, fetched } = clientOf({ 'https://files/1': content }, ['https://files/1']);
    const first = await run(client, { urls: ['https://files/1'] });
    const summary = 'The file is no picture and no video';
    const detail = `What came under its link is text/html, ${why}`;
    expect(first).toMatchObject({ came: 'doubtful', problem: { summary, detail } });
    expect(await tree()).toEqual([]);
    const second = await run(client, { urls: ['https://files/1'], attempt: 2, memo: memoOf(first) });
    const where = kept ? ' What came is kept as out/hero/1-image.partial.' : '';
    expect(second).toEqual({
      came: 'no-result',
      sent: 'yes',
      problem: { summary, detail: `${detail}${where}` },
    });
    expect(fetched).toHaveLength(2);
    expect(await tree()).toEqual(kept ? ['1-image.partial'] : []);
  });

  it.each([
    ['half a video', MP4.slice(0, -3), 'mp4', 'video/mp4', 'it ends before its last box does'],
    ['a drawing', '<svg/>', 'svg', 'image/svg+xml', 'files of this type are not looked through'],
    ['anything', '\0\x01', 'bin', 'application/octet-stream', 'its content is of no known type'],
  ])(
    'of %s is kept where a second fetch gives the same bytes',
    async (_, content, ending, contentType, why) => {
      const { client, fetched } = clientOf({ 'https://files/1': content }, ['https://files/1']);
      const first = await run(client, { urls: ['https://files/1'] });
      expect(first).toMatchObject({
        came: 'doubtful',
        problem: {
          summary: 'The file cannot be verified',
          detail: `${contentType}, ${content.length} bytes: ${why}.`,
        },
      });
      expect(await tree()).toEqual(['1-image.partial']);
      const file = { path: `out/hero/1-image.${ending}`, sha256: sha(content), bytes: content.length };
      expect(await run(client, { urls: [], attempt: 2, memo: memoOf(first) })).toEqual({
        came: 'result',
        sent: 'yes',
        result: { media: 'm-1', files: [{ ...file, contentType, unverified: why }] },
      });
      expect(fetched).toHaveLength(2);
      expect(await tree()).toEqual([`1-image.${ending}`]);
    },
  );

  it('is kept unmarked where the second fetch can be looked through', async () => {
    const contents = { 'https://files/1': PNG.slice(0, -1), 'https://files/2': PNG };
    const { client } = clientOf(contents, ['https://files/2']);
    const first = await run(client, { urls: ['https://files/1'] });
    const second = await run(client, { attempt: 2, memo: memoOf(first) });
    expect(second).toMatchObject({ result: { files: [{ contentType: 'image/png' }] } });
    expect(JSON.stringify(second)).not.toContain('unverified');
    expect(await tree()).toEqual(['1-image.png']);
  });

  it('that is another one each time is no result, and the last one is kept', async () => {
    const contents = { 'https://files/1': '<svg>1</svg>', 'https://files/2': '<svg>2</svg>' };
    const { client } = clientOf(contents, ['https://files/2']);
    const first = await run(client, { urls: ['https://files/1'] });
    expect(await run(client, { attempt: 2, memo: memoOf(first) })).toEqual({
      came: 'no-result',
      sent: 'yes',
      problem: {
        summary: 'The file cannot be verified',
        detail:
          'image/svg+xml, 12 bytes: files of this type are not looked through. A second fetch gave other bytes. ' +
          'What came last is kept as out/hero/1-image.partial.',
      },
    });
    expect(await readFile(join(folder, 'out/hero/1-image.partial'), 'utf8')).toBe('<svg>2</svg>');
    // The next run compares with what the last one kept: one fetch is enough.
    const later = await run(client, { node: downloadNode('resume') });
    expect(later).toMatchObject({
      came: 'result',
      sent: 'yes',
      result: { files: [{ path: 'out/hero/1-image.svg' }] },
    });
    expect(await tree()).toEqual(['1-image.svg']);
  });

  it('that came whole once is kept whatever comes after it', async () => {
    const { client } = clientOf({ 'https://files/1': '<svg/>', 'https://files/2': '<html>' }, [
      'https://files/2',
    ]);
    let outcome = await run(client, { urls: ['https://files/1'] });
    for (const attempt of [2, 3]) outcome = await run(client, { attempt, memo: memoOf(outcome) });
    expect(outcome).toMatchObject({
      came: 'no-result',
      sent: 'yes',
      problem: { detail: expect.stringMatching(/ What came is kept as out\/hero\/1-image\.partial\.$/) },
    });
    expect(await readFile(join(folder, 'out/hero/1-image.partial'), 'utf8')).toBe('<svg/>');
    const gone: Pick<Client, 'getMedia' | 'getMediaConfig'> = {
      getMedia: async () => err(NOT_THERE),
      getMediaConfig: async () => ok(MADE),
    };
    expect(await run(gone, { attempt: 2, memo: { refused: false, spoiled: 0, unverified: 1 } })).toEqual({
      came: 'no-result',
      sent: 'no',
      problem: {
        summary: 'The finished post is not there',
        detail:
          'It was finished, and now the service says 404 for it: the next run looks again. What came before is kept as out/hero/1-image.partial.',
      },
    });
  });

  it('of several files compares each of them', async () => {
    const contents = { 'https://files/1': '<svg/>', 'https://files/2': PNG, 'https://files/3': '%PDF-1' };
    const urls = Object.keys(contents);
    const { client } = clientOf(contents, urls);
    const first = await run(client, { urls });
    expect(first).toMatchObject({ came: 'doubtful' });
    expect(await tree()).toEqual(['1-image-1.partial', '1-image-3.partial']);
    expect(await run(client, { attempt: 2, memo: memoOf(first) })).toMatchObject({
      came: 'result',
      sent: 'yes',
    });
    expect(await tree()).toEqual(['1-image-1.svg', '1-image-2.png', '1-image-3.pdf']);
  });

  it('of several files leaves nothing until all are there', async () => {
    const { client } = clientOf({ 'https://files/1': PNG, 'https://files/2': serviceError('not-sent') });
    expect(await run(client, { urls: ['https://files/1', 'https://files/2'] })).toMatchObject({
      came: 'not-sent',
    });
    expect(await tree()).toEqual([]);
  });
});

describe('a finished post that names fewer files than before', () => {
  it('is kept as not complete, and done once it names all of them again', async () => {
    const contents = { 'https://files/1': PNG, 'https://files/2': JPG, 'https://files/3': MP4 };
    const urls = Object.keys(contents);
    const node = downloadNode('resume');
    const { client, fetched } = clientOf(contents, ['https://files/3']);
    expect(await run(client, { node, urls })).toEqual({
      came: 'no-result',
      sent: 'yes',
      problem: {
        summary: 'The finished post names fewer files than before',
        detail:
          'It named 3 when it was finished, and 1 now. What came is kept as out/hero/1-image-1.partial.',
      },
    });
    expect(fetched).toEqual(['https://files/3']);
    expect(await tree()).toEqual(['1-image-1.partial']);
    const two = clientOf(contents, ['https://files/1', 'https://files/2']);
    expect(await run(two.client, { node, urls })).toMatchObject({
      problem: {
        detail: expect.stringMatching(
          /What came is kept as out\/hero\/1-image-1.partial to out\/hero\/1-image-2.partial\.$/,
        ),
      },
    });
    expect(await run(clientOf(contents, urls).client, { node, urls })).toMatchObject({
      came: 'result',
      sent: 'yes',
    });
    expect(await tree()).toEqual(['1-image-1.png', '1-image-2.jpg', '1-image-3.mp4']);
  });
});

describe('an expired link', () => {
  it('is tried again with fresh ones', async () => {
    const { client, fetched } = clientOf({ 'https://files/new': PNG }, ['https://files/new']);
    expect(await run(client, { urls: ['https://files/old'] })).toMatchObject({ came: 'doubtful' });
    expect(await run(client, { urls: ['https://files/old'], attempt: 2 })).toMatchObject({
      came: 'result',
      sent: 'yes',
      result: { media: 'm-1' },
    });
    expect(fetched).toEqual(['https://files/old', 'https://files/new']);
  });

  it('fails the download where the fresh one is refused too', async () => {
    const { client } = clientOf({}, ['https://files/new']);
    const memo = { refused: true, spoiled: 0, unverified: 0 };
    expect(await run(client, { attempt: 2, memo })).toMatchObject({
      came: 'refused',
      sent: 'yes',
      problem: { summary: 'The service refused the request', status: 404 },
    });
  });

  it('that drips is tried once more, then reported', async () => {
    const slow = serviceError('unusable', {
      status: 200,
      code: 'ERR_TOO_SLOW',
      detail: 'the file was cut',
    });
    const { client } = clientOf({ 'https://files/1': slow, 'https://files/2': slow }, ['https://files/2']);
    const first = await run(client, { urls: ['https://files/1'] });
    expect(first).toMatchObject({ came: 'unusable' });
    expect(await run(client, { attempt: 2, memo: first.memo ?? null })).toEqual({
      came: 'no-result',
      sent: 'yes',
      problem: {
        summary: 'The answer of the service cannot be used',
        detail:
          'GET /x/: the answer cannot be used (200, the file was cut, less than 1 kB a second for a minute, ERR_TOO_SLOW)',
        status: 200,
      },
    });
  });

  it('is told from one that may not be fetched at all', async () => {
    const { client } = clientOf({ 'https://files/1': serviceError('refused', { detail: 'only https' }) });
    expect(await run(client, { urls: ['https://files/1'] })).toMatchObject({ came: 'refused' });
  });

  it('is not even tried for a post of an earlier run', async () => {
    const { client, fetched } = clientOf({ 'https://files/new': PNG }, ['https://files/new']);
    const node = downloadNode('resume');
    expect(await run(client, { node, urls: ['https://files/old'] })).toMatchObject({
      came: 'result',
      sent: 'yes',
    });
    expect(fetched).toEqual(['https://files/new']);
  });

  it('cannot be refreshed where the post is not there, and its request is', async () => {
    const client: Pick<Client, 'getMedia' | 'getMediaConfig'> = {
      getMedia: async () => err(NOT_THERE),
      getMediaConfig: async () => ok(MADE),
    };
    expect(await run(client, { attempt: 2 })).toEqual({
      came: 'no-result',
      sent: 'no',
      problem: {
        summary: 'The finished post is not there',
        detail: 'It was finished, and now the service says 404 for it: the next run looks again.',
      },
    });
  });

  it('is left to the next run where everything is answered with 404', async () => {
    const client: Pick<Client, 'getMedia' | 'getMediaConfig'> = {
      getMedia: async () => err(NOT_THERE),
      getMediaConfig: async () => err(NOT_THERE),
    };
    expect(await run(client, { attempt: 2 })).toMatchObject({
      came: 'unclear',
      problem: { summary: 'The service says 404 for what it had' },
    });
  });

  it('waits where the post is being made again', async () => {
    const client: Pick<Client, 'getMedia'> = { getMedia: async () => ok(mediaRecord({ status: 'running' })) };
    expect(await run(client, { attempt: 2 })).toMatchObject({ came: 'pending', waitMs: 5_000 });
    expect(await run(client, { attempt: 2, io: { mediaTimeoutMs: 0 } })).toMatchObject({ came: 'unclear' });
  });

  it('is refreshed later where the service does not answer, or the path is being found out', async () => {
    const client: Pick<Client, 'getMedia'> = { getMedia: async () => err(serviceError('not-sent')) };
    expect(await run(client, { attempt: 2 })).toMatchObject({ came: 'not-sent' });
    const lookup = { ...createMediaLookup(undefined), isProbing: true };
    expect(await run({}, { attempt: 2, io: { lookup } })).toMatchObject({
      came: 'busy',
      waitMs: 250,
    });
  });
});

describe('a disk that cannot be written', () => {
  it("is the user's to mend", async () => {
    await writeFile(join(folder, 'out'), 'a file where the folder should be');
    const { client } = clientOf({ 'https://files/1': PNG });
    expect(await run(client, { urls: ['https://files/1'] })).toMatchObject({
      came: 'local-file',
      problem: { summary: 'The output cannot be written', cause: 'disk' },
    });
  });

  it.each([
    ['a link', (path: string) => symlink(join(folder, 'elsewhere'), path), 'a symbolic link'],
    ['a pipe', (path: string) => promisify(execFile)('mkfifo', [path]), 'a pipe'],
    ['a folder', (path: string) => mkdir(path), 'a folder'],
  ])('has %s where a file of ours goes, which is named and left alone', async (_, make, what) => {
    const names = ['.1-image-1-1.part', '1-image.png', '1-image.partial'];
    for (const [index, content] of [PNG, PNG, '<svg/>'].entries()) {
      const [name = '', target] = [names[index], join(folder, 'out/hero', names[index] ?? '')];
      await rm(join(folder, 'out'), { recursive: true, force: true });
      await mkdir(join(folder, 'out/hero'), { recursive: true });
      await writeFile(join(folder, 'elsewhere'), 'precious');
      await make(target);
      const { client } = clientOf({ 'https://files/1': content });
      const outcome = await run(client, { urls: ['https://files/1'] });
      expect(await readFile(join(folder, 'elsewhere'), 'utf8')).toBe('precious');
      // A link where the file itself goes is somebody's way to keep it elsewhere: it steps aside.
      if (name === '1-image.png' && what === 'a symbolic link') {
        expect(await readdir(join(folder, 'out/hero'))).toEqual(['1-image.bak1.png', '1-image.png']);
        continue;
      }
      expect(outcome).toEqual({
        came: 'local-file',
        sent: 'yes',
        problem: {
          summary: 'The output cannot be written',
          detail: `${target} is ${what} in the place of a file of campaign. Move it away, then run again.`,
          cause: 'disk',
        },
      });
      expect(await readdir(join(folder, 'out/hero'))).toEqual([name]);
    }
  });

  it('may be a link itself, but has none below it', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink('elsewhere', join(folder, 'out'));
    const { client } = clientOf({ 'https://files/1': PNG });
    expect(await run(client, { urls: ['https://files/1'] })).toMatchObject({ came: 'result', sent: 'yes' });
    expect(await readdir(join(folder, 'elsewhere/hero'))).toEqual(['1-image.png']);
    await rm(join(folder, 'elsewhere/hero'), { recursive: true });
    await mkdir(join(folder, 'other'));
    await symlink('../other', join(folder, 'elsewhere/hero'));
    expect(await run(client, { urls: ['https://files/1'] })).toMatchObject({
      came: 'local-file',
      sent: 'yes',
      problem: { detail: expect.stringMatching(/out\/hero is a symbolic link in the place of /) },
    });
    expect(await readdir(join(folder, 'other'))).toEqual([]);
  });

  it('is looked at once more when the files are there: a link may have come in its place meanwhile', async () => {
    await mkdir(join(folder, 'other'));
    const { client } = clientOf({ 'https://files/1': PNG });
    const swapping: typeof client = {
      ...client,
      async download(request, options) {
        await rename(join(folder, 'out/hero'), join(folder, 'moved'));
        await symlink('../other', join(folder, 'out/hero'));
        return client.download(request, options);
      },
    };
    expect(await run(swapping, { urls: ['https://files/1'] })).toMatchObject({
      came: 'local-file',
      sent: 'yes',
      problem: {
        detail: expect.stringMatching(/out\/hero is a symbolic link in the place of /),
        cause: 'disk',
      },
    });
    expect(await readdir(join(folder, 'other'))).toEqual([]);
  });

  it('is told from a bug', async () => {
    const client: Pick<Client, 'download'> = { download: () => Promise.reject(new Error('bug')) };
    await expect(run(client, { urls: ['https://files/1'] })).rejects.toThrow('bug');
  });

  it('fails the download at once where the client says so', async () => {
    const { client } = clientOf({ 'https://files/1': serviceError('local-file', { code: 'ENOSPC' }) });
    expect(await run(client, { urls: ['https://files/1'] })).toMatchObject({
      came: 'local-file',
      sent: 'no',
      problem: { summary: 'A file could not be read or written', cause: 'disk' },
    });
  });
});

it("a download step takes nothing else, and needs the medium's result", async () => {
  const step = downloadStep(createIo({}));
  await expect(step.run(jobOf({ ...downloadNode(), kind: 'upload' } as never), signal)).rejects.toThrow(
    'not a node of download: download/hero/1@1',
  );
  await expect(step.run(jobOf(downloadNode()), signal)).rejects.toThrow('no result of media/hero/1@1');
});
