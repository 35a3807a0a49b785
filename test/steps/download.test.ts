import { createHash } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DownloadPayload } from '../../src/model/payload.ts';
import type { Action, PlannedNode } from '../../src/model/plan.ts';
import type { Client } from '../../src/service/client.ts';
import type { ServiceError } from '../../src/service/service-error.ts';
import { downloadStep } from '../../src/steps/download.ts';
import { createLinks } from '../../src/steps/links.ts';
import { createMediaLookup } from '../../src/steps/media-lookup.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import type { Json } from '../../src/util/json.ts';
import { err, ok } from '../../src/util/result.ts';
import { film, noisyPicture } from '../support/media-samples.ts';
import { createIo, jobOf, mediaRecord, NOT_THERE, REQUESTED, serviceError, signal } from './step-rig.ts';

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
    inputs: {},
    fingerprint: 'f',
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
      return ok({ bytes: bytes.length, sha256, contentType: 'text/html' });
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
  const step = downloadStep(createIo(client, { folder, lookup, links, ...io }));
  return step.run(jobOf(node, { results, attempt, ...(memo === undefined ? {} : { memo }) }), signal);
}

const sha = (text: string) => createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex');
const tree = async () =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();

describe('a download', () => {
  it('takes its name when it is whole, with the extension of its content', async () => {
    const { client, fetched } = clientOf({ 'https://files/1': PNG });
    expect(await run(client, { urls: ['https://files/1'] })).toEqual({
      type: 'done',
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
      type: 'failed',
      problem: {
        summary: 'The finished post names no file',
        detail: 'Its media_info holds no http(s) URL; service.media_urls can say where they stand.',
      },
    });
  });

  it.each([
    {
      what: 'a page',
      content: '<html>',
      summary: 'The file is no picture and no video',
      detail: 'What came under its link is text/html, 6 bytes: its content is of no known type.',
    },
    {
      what: 'nothing',
      content: '',
      summary: 'The file is no picture and no video',
      detail: 'What came under its link is text/html, 0 bytes: it is empty.',
    },
    {
      what: 'half a video',
      content: MP4.slice(0, -3),
      summary: 'The file cannot be decoded',
      detail: 'video/mp4, 245 bytes: it ends before its last box does.',
    },
  ])('of $what is tried three times and leaves nothing', async ({ content, summary, detail }) => {
    const { client, fetched } = clientOf({ 'https://files/1': content }, ['https://files/1']);
    let memo: Json | undefined;
    for (const attempt of [1, 2]) {
      const outcome = await run(client, { urls: ['https://files/1'], attempt, memo });
      expect(outcome).toMatchObject({ type: 'wait', why: 'retry', problem: { summary, detail } });
      memo = outcome.type === 'wait' ? outcome.memo : undefined;
      expect(await tree()).toEqual([]);
    }
    const outcome = await run(client, { urls: ['https://files/1'], attempt: 3, memo });
    expect(outcome).toEqual({ type: 'failed', problem: { summary, detail } });
    expect(fetched).toHaveLength(3);
    expect(await tree()).toEqual([]);
  });

  it('of several files leaves nothing until all are there', async () => {
    const { client } = clientOf({ 'https://files/1': PNG, 'https://files/2': serviceError('not-sent') });
    expect(await run(client, { urls: ['https://files/1', 'https://files/2'] })).toMatchObject({
      type: 'wait',
      why: 'retry',
    });
    expect(await tree()).toEqual([]);
  });
});

describe('an expired link', () => {
  it('is tried again with fresh ones', async () => {
    const { client, fetched } = clientOf({ 'https://files/new': PNG }, ['https://files/new']);
    expect(await run(client, { urls: ['https://files/old'] })).toMatchObject({ type: 'wait', why: 'retry' });
    expect(await run(client, { urls: ['https://files/old'], attempt: 2 })).toMatchObject({
      type: 'done',
      result: { media: 'm-1' },
    });
    expect(fetched).toEqual(['https://files/old', 'https://files/new']);
  });

  it('fails the download where the fresh one is refused too', async () => {
    const { client } = clientOf({}, ['https://files/new']);
    const memo = { refused: true, spoiled: 0 };
    expect(await run(client, { attempt: 2, memo })).toMatchObject({
      type: 'failed',
      problem: { summary: 'The service refused the request', status: 404 },
    });
  });

  it('is told from one that may not be fetched at all', async () => {
    const { client } = clientOf({ 'https://files/1': serviceError('refused', { detail: 'only https' }) });
    expect(await run(client, { urls: ['https://files/1'] })).toMatchObject({ type: 'failed' });
  });

  it('is not even tried for a post of an earlier run', async () => {
    const { client, fetched } = clientOf({ 'https://files/new': PNG }, ['https://files/new']);
    const node = downloadNode('resume');
    expect(await run(client, { node, urls: ['https://files/old'] })).toMatchObject({ type: 'done' });
    expect(fetched).toEqual(['https://files/new']);
  });

  it('cannot be refreshed where the post is gone', async () => {
    const client: Pick<Client, 'getMedia'> = { getMedia: async () => err(NOT_THERE) };
    expect(await run(client, { attempt: 2 })).toMatchObject({
      type: 'failed',
      problem: { summary: 'The post is gone' },
    });
  });

  it('waits where the post is being made again', async () => {
    const client: Pick<Client, 'getMedia'> = { getMedia: async () => ok(mediaRecord({ status: 'running' })) };
    expect(await run(client, { attempt: 2 })).toMatchObject({ type: 'wait', why: 'poll', until: 5_000 });
    expect(await run(client, { attempt: 2, io: { mediaTimeoutMs: 0 } })).toMatchObject({ type: 'put-off' });
  });

  it('is refreshed later where the service does not answer, or the path is being found out', async () => {
    const client: Pick<Client, 'getMedia'> = { getMedia: async () => err(serviceError('not-sent')) };
    expect(await run(client, { attempt: 2 })).toMatchObject({ type: 'wait', why: 'retry' });
    const lookup = { ...createMediaLookup(undefined), isProbing: true };
    expect(await run({}, { attempt: 2, io: { lookup } })).toMatchObject({
      type: 'wait',
      why: 'poll',
      until: 250,
    });
  });
});

describe('a disk that cannot be written', () => {
  it("is the user's to mend", async () => {
    await writeFile(join(folder, 'out'), 'a file where the folder should be');
    const { client } = clientOf({ 'https://files/1': PNG });
    expect(await run(client, { urls: ['https://files/1'] })).toMatchObject({
      type: 'failed',
      problem: { summary: 'The output cannot be written', cause: 'disk' },
    });
  });

  it('is told from a bug', async () => {
    const client: Pick<Client, 'download'> = { download: () => Promise.reject(new Error('bug')) };
    await expect(run(client, { urls: ['https://files/1'] })).rejects.toThrow('bug');
  });

  it('fails the download at once where the client says so', async () => {
    const { client } = clientOf({ 'https://files/1': serviceError('local-file', { code: 'ENOSPC' }) });
    expect(await run(client, { urls: ['https://files/1'] })).toMatchObject({
      type: 'failed',
      problem: { summary: 'A file could not be read or written', cause: 'disk' },
    });
  });
});

it("a download step takes nothing else, and needs the medium's result", async () => {
  const step = downloadStep(createIo({}));
  expect(step.onInterrupted).toBe('repeat');
  await expect(step.run(jobOf({ ...downloadNode(), kind: 'upload' } as never), signal)).rejects.toThrow(
    'not a download: download/hero/1@1',
  );
  await expect(step.run(jobOf(downloadNode()), signal)).rejects.toThrow('no result of media/hero/1@1');
});
