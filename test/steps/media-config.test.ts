import { describe, expect, it } from 'vitest';
import type { ObjectRef, RequestPayload } from '../../src/model/payload.ts';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { Client } from '../../src/service/client.ts';
import type { MediaConfigAnswer } from '../../src/service/read-media-config.ts';
import type { MediaConfigRequest } from '../../src/service/wire.ts';
import { mediaConfigStep } from '../../src/steps/media-config.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import { err, ok } from '../../src/util/result.ts';
import { requestNode } from '../support/planned-nodes.ts';
import { createIo, jobOf, serviceError, signal } from './step-rig.ts';

const PRODUCT = {
  id: 'p-9',
  created_at: '',
  updated_at: '',
  name: '',
  description: '',
  variant: '',
  media_urls: null,
};

function node(products: readonly ObjectRef[], fields: Partial<RequestPayload> = {}): PlannedNode {
  const base = requestNode('hero');
  const payload = {
    post_type: 'image' as const,
    assets: products.map((product) => ({ type: 'product', product })),
    variants: [],
    descriptions: [],
    metadata: { aspect_ratio: '1:1' },
  };
  const items = [{ item: '1', fingerprint: 'f', inputs: {}, payload }];
  return { ...base, payload: { ...base.payload, items, concept: { id: 'k-1' }, ...fields } };
}

interface Script {
  readonly answer?: Partial<MediaConfigAnswer>;
  readonly product?: Awaited<ReturnType<Client['getProduct']>>;
  readonly io?: Partial<StepIo>;
}

function stepOf({ answer = {}, product, io = {} }: Script = {}) {
  const sent: MediaConfigRequest[] = [];
  const read: string[] = [];
  const client: Pick<Client, 'createMediaConfig' | 'getProduct'> = {
    createMediaConfig: async (body) => {
      sent.push(body);
      return ok({ id: 'c-1', items: [{ id: 'i-1', post_type: 'image' }], ...answer });
    },
    getProduct: async (id) => {
      read.push(id);
      return product ?? ok({ ...PRODUCT, media_urls: [{ url: 'https://files/9.jpg' }] });
    },
  };
  const step = mediaConfigStep(createIo(client, io));
  const run = (planned: PlannedNode) => step.run(jobOf(planned), signal);
  return { run, sent, read };
}

const FOREIGN: ObjectRef = { id: 'p-9' };

describe('a request for posts', () => {
  it('keeps the created items under our names', async () => {
    const { run, sent } = stepOf({ answer: { concept_id: 'k-7' } });
    expect(await run(node([]))).toEqual({
      came: 'result',
      sent: 'yes',
      result: { id: 'c-1', concept: 'k-7', items: { 1: { id: 'i-1', post_type: 'image' } } },
    });
    expect(sent).toMatchObject([{ content_pillar: 'k-1', number_of_posts: 1 }]);
  });

  it('takes our concept where the answer names none', async () => {
    expect(await stepOf().run(node([]))).toMatchObject({ result: { concept: 'k-1' } });
  });

  it('is unknown where it may have been made', async () => {
    const createMediaConfig = async () => err(serviceError('no-answer'));
    const step = mediaConfigStep(createIo({ createMediaConfig }));
    expect(await step.run(jobOf(node([])), signal)).toMatchObject({ came: 'no-answer', sent: 'maybe' });
  });
});

describe('the url of a product that is known by its id only', () => {
  it('is read once and sent', async () => {
    const { run, sent, read } = stepOf();
    await run(node([FOREIGN, FOREIGN]));
    await run(node([FOREIGN]));
    expect(read).toEqual(['p-9']);
    expect(sent[1]?.items[0]?.assets).toEqual([
      { type: 'product', product_id: 'p-9', url: 'https://files/9.jpg' },
    ]);
  });

  it('is not read for the guide form', async () => {
    const { run, read } = stepOf({ io: { form: 'guide' } });
    await run(node([FOREIGN]));
    expect(read).toEqual([]);
  });

  it('may be missing: then the guide form is sent', async () => {
    const { run, sent } = stepOf({ product: ok(PRODUCT) });
    await run(node([FOREIGN]));
    expect(sent[0]?.items[0]?.assets).toEqual([{ type: 'product', product_id: 'p-9' }]);
  });

  it.each([
    ['refused', { status: 404 }],
    ['not-sent', {}],
    ['no-answer', {}],
  ] as const)('ends the request before it is sent where it is %s', async (kind, facts) => {
    const { run, sent } = stepOf({ product: err(serviceError(kind, facts)) });
    expect(await run(node([FOREIGN]))).toMatchObject({ came: kind, sent: 'no' });
    expect(sent).toEqual([]);
  });
});

describe('posts that the service made beyond what was asked', () => {
  const answer = {
    items: [
      { id: 'i-1', post_type: 'image' },
      { id: 'i-2', post_type: 'video' },
    ],
  };
  const planned = node([], { nextItem: 5, numberOfPosts: 2 });

  it('get no part of a file name from the service', async () => {
    const outputs = { dir: 'out', name: '{post}/{item}-{post_type}' };
    for (const post_type of ['../../x', 'a\nb', '\u001b[2J', 'x\0', 'Image']) {
      const odd = {
        items: [
          { id: 'i-1', post_type },
          { id: 'i-2', post_type },
        ],
      };
      expect(await stepOf({ answer: odd, io: { outputs } }).run(planned)).toMatchObject({
        adds: [{ kind: 'media' }, { kind: 'download', payload: { path: 'out/hero/5-image' } }],
      });
    }
  });

  it('are polled and downloaded under the next numbers', async () => {
    const place = { post: 'hero', item: '5', take: 1, request: 'media-config/hero@1' };
    const outputs = { dir: 'out', name: '{post}/{item}-{post_type}' };
    expect(await stepOf({ answer, io: { outputs } }).run(planned)).toMatchObject({
      result: { items: { 1: { id: 'i-1' }, 5: { id: 'i-2' } }, surplus: ['5'] },
      adds: [
        {
          address: 'media/hero/5@1',
          kind: 'media',
          action: 'create',
          reasons: [{ summary: 'made by the service beyond what was asked' }],
          dependsOn: ['media-config/hero@1'],
          payload: place,
          seen: false,
        },
        {
          address: 'download/hero/5@1',
          kind: 'download',
          dependsOn: ['media/hero/5@1', 'media-config/hero@1'],
          payload: { ...place, path: 'out/hero/5-video', older: [] },
        },
      ],
    });
  });

  it('are only polled where nothing is written', async () => {
    const outcome = await stepOf({ answer, io: { outputs: false } }).run(planned);
    expect(outcome).toMatchObject({ adds: [{ address: 'media/hero/5@1' }] });
    expect(outcome).toHaveProperty('adds.length', 1);
  });
});
