/** The steps that create, update and upload: what they send, and what of the answer they keep. */
import { describe, expect, it } from 'vitest';
import type { PlannedNode } from '../../src/model/plan.ts';
import type { NodeResult } from '../../src/model/result.ts';
import type { ObjectState } from '../../src/model/run-state.ts';
import type { Step } from '../../src/model/step.ts';
import type { Client } from '../../src/service/client.ts';
import { conceptStep } from '../../src/steps/concept.ts';
import { createSteps } from '../../src/steps/create-steps.ts';
import { createLinks } from '../../src/steps/links.ts';
import { createKnownNames } from '../../src/steps/known-names.ts';
import { productStep } from '../../src/steps/product.ts';
import { uploadStep } from '../../src/steps/upload.ts';
import { err, ok } from '../../src/util/result.ts';
import { conceptNode, productNode, uploadNode } from '../support/planned-nodes.ts';
import { createIo, jobOf, serviceError, signal } from './step-rig.ts';
import { emptyState } from '../../src/log/fold.ts';

const RESULTS: Record<string, NodeResult> = { 'upload/1': { url: 'https://files/1.jpg' } };
const run = (step: Step, node: PlannedNode) => step.run(jobOf(node, { results: RESULTS }), signal);

const PRODUCT = {
  id: 'p-1',
  created_at: '',
  updated_at: '',
  name: '',
  description: '',
  variant: '',
  media_urls: null,
};
const CONCEPT = {
  id: 'k-1',
  name: null,
  description: null,
  created_at: '',
  updated_at: '',
  ref_images: null,
};

describe('a product', () => {
  const node = (fields: object = {}, payload: object = {}): PlannedNode => ({
    ...productNode('tote'),
    kind: 'product',
    payload: {
      name: 'Tote',
      variant: 'plain',
      images: [{ upload: 'upload/1' }, { url: 'https://cdn/2.jpg' }],
      ...payload,
    },
    ...fields,
  });

  it('is created with its images in their order; the first is its url', async () => {
    const sent: unknown[] = [];
    const client: Pick<Client, 'createProduct'> = {
      createProduct: async (body) => {
        sent.push(body);
        return ok(PRODUCT);
      },
    };
    expect(await run(productStep(createIo(client)), node({}, { description: 'Canvas' }))).toEqual({
      came: 'result',
      sent: 'yes',
      result: { id: 'p-1', url: 'https://files/1.jpg' },
    });
    expect(sent).toEqual([
      {
        name: 'Tote',
        variant: 'plain',
        description: 'Canvas',
        media_urls: [
          { type: 'image', url: 'https://files/1.jpg' },
          { type: 'image', url: 'https://cdn/2.jpg' },
        ],
      },
    ]);
  });

  it('without images has no url', async () => {
    const client: Pick<Client, 'createProduct'> = { createProduct: async () => ok(PRODUCT) };
    expect(await run(productStep(createIo(client)), node({}, { images: [] }))).toEqual({
      came: 'result',
      sent: 'yes',
      result: { id: 'p-1' },
    });
  });

  it.each([
    [['name'], { name: 'Tote' }],
    [['description'], { description: '' }],
    [['variant', 'images'], { variant: 'plain', media_urls: [{}, {}] }],
    [[], {}],
  ])('is patched in what changed: %j', async (changed, body) => {
    const sent: [string, object][] = [];
    const client: Pick<Client, 'patchProduct'> = {
      patchProduct: async (id, patch) => {
        sent.push([id, patch]);
        return ok(PRODUCT);
      },
    };
    const update = node({ action: 'update', id: 'p-9', changed });
    const outcome = await run(productStep(createIo(client)), update);
    expect(outcome).toMatchObject({
      came: 'result',
      sent: 'yes',
      result: { id: 'p-9', url: 'https://files/1.jpg' },
    });
    expect(sent).toMatchObject([['p-9', body]]);
    expect(Object.keys(sent[0]?.[1] ?? {})).toEqual(Object.keys(body));
  });

  it('is put as a whole where nobody knows what it is like', async () => {
    const sent: [string, object][] = [];
    const client: Pick<Client, 'putProduct'> = {
      putProduct: async (id, body) => {
        sent.push([id, body]);
        return ok(PRODUCT);
      },
    };
    const outcome = await run(productStep(createIo(client)), node({ action: 'update', id: 'p-9' }));
    expect(outcome).toMatchObject({ came: 'result', result: { id: 'p-9', url: 'https://files/1.jpg' } });
    const body = { name: 'Tote', variant: 'plain', description: '', media_urls: [{}, {}] };
    expect(sent).toMatchObject([['p-9', body]]);
    expect(Object.keys(sent[0]?.[1] ?? {}).toSorted()).toEqual(Object.keys(body).toSorted());
  });

  it('keeps the URL that the manifest wrote, query and all', async () => {
    const images = [{ url: 'https://cdn/1.jpg?w=800' }];
    const client: Pick<Client, 'patchProduct'> = { patchProduct: async () => ok(PRODUCT) };
    const update = node({ action: 'update', id: 'p-9', changed: ['name'] }, { images });
    expect(await run(productStep(createIo(client)), update)).toMatchObject({
      result: { id: 'p-9', url: 'https://cdn/1.jpg?w=800' },
    });
  });

  it('is patched without its images though nobody knows their URLs', async () => {
    const client: Pick<Client, 'patchProduct'> = { patchProduct: async () => ok(PRODUCT) };
    const update = node(
      { action: 'update', id: 'p-9', changed: ['name'] },
      { images: [{ upload: 'upload/7' }] },
    );
    expect(await run(productStep(createIo(client)), update)).toEqual({
      came: 'result',
      sent: 'yes',
      result: { id: 'p-9' },
    });
  });

  it('says that it may have been sent where the service does not answer', async () => {
    const failure = async () => err(serviceError('no-answer'));
    const step = productStep(createIo({ createProduct: failure, patchProduct: failure }));
    const update = node({ action: 'update', id: 'p-9', changed: ['name'] });
    for (const each of [node(), update])
      expect(await run(step, each)).toMatchObject({ came: 'no-answer', sent: 'maybe' });
  });
});

describe('a concept', () => {
  const node = (fields: object = {}): PlannedNode => ({
    ...conceptNode('morning'),
    kind: 'concept',
    payload: { name: 'Morning', ref_images: [{ upload: 'upload/1' }] },
    ...fields,
  });
  const body = { name: 'Morning', description: null, ref_images: [{ url: 'https://files/1.jpg' }] };

  it('is created and put as a whole', async () => {
    const sent: unknown[] = [];
    const client: Pick<Client, 'createConcept' | 'putConcept'> = {
      createConcept: async (concept) => {
        sent.push(concept);
        return ok(CONCEPT);
      },
      putConcept: async (id, concept) => {
        sent.push(id, concept);
        return ok(CONCEPT);
      },
    };
    const step = conceptStep(createIo(client));
    expect(await run(step, node())).toEqual({ came: 'result', sent: 'yes', result: { id: 'k-1' } });
    expect(await run(step, node({ action: 'update', id: 'k-9' }))).toEqual({
      came: 'result',
      sent: 'yes',
      result: { id: 'k-9' },
    });
    expect(sent).toEqual([body, 'k-9', body]);
  });

  it('is rejected or failed where the service refuses it', async () => {
    const failure = async () => err(serviceError('refused', { status: 400 }));
    const step = conceptStep(createIo({ createConcept: failure, putConcept: failure }));
    expect(await run(step, node())).toMatchObject({ came: 'refused', problem: { status: 400 } });
    expect(await run(step, node({ id: 'k-9' }))).toMatchObject({ came: 'refused', problem: { status: 400 } });
  });

  it('cannot be sent before its references are uploaded', async () => {
    const step = conceptStep(createIo({}));
    await expect(step.run(jobOf(node()), signal)).rejects.toThrow('concept/morning: no URL of an image');
  });
});

describe('an upload', () => {
  it('has a name of ours and the type of its content', async () => {
    const sent: unknown[] = [];
    const client: Pick<Client, 'uploadMedia'> = {
      uploadMedia: async (file) => {
        sent.push(file);
        return ok('https://files/1.jpg');
      },
    };
    expect(await run(uploadStep(createIo(client)), uploadNode('front'))).toEqual({
      came: 'result',
      sent: 'yes',
      result: { url: 'https://files/1.jpg' },
    });
    const { sha256 } = uploadNode('front').payload as { sha256: string };
    const file = { path: '/campaign/front.jpg', filename: 'front.jpg', contentType: 'image/jpeg' };
    expect(sent).toEqual([{ ...file, sha256 }]);
  });

  it.each([
    ['signed', 'https://files/1.jpg?signature=7', {}],
    ['with a password', 'https://me:secret@files/1.jpg', {}],
    ['that holds a token', 'https://files/the-token/1.jpg', {}],
    ['that is plain', 'https://files/1.jpg', { url: 'https://files/1.jpg' }],
  ])('with a URL %s: this run has it, the state only a plain one', async (_, url, result) => {
    const links = createLinks((text) => text.replace('the-token', '[redacted]'));
    const io = createIo(
      { uploadMedia: async () => ok(url), createProduct: async () => ok(PRODUCT) },
      { links },
    );
    const upload = { ...uploadNode('front'), address: 'upload/2' };
    expect(await run(uploadStep(io), upload)).toEqual({ came: 'result', sent: 'yes', result });
    const images = [{ upload: 'upload/2' }];
    const product: PlannedNode = {
      ...productNode('tote'),
      kind: 'product',
      payload: { name: '', variant: '', images },
    };
    expect(await run(productStep(io), product)).toEqual({
      came: 'result',
      sent: 'yes',
      result: { id: 'p-1', ...result },
    });
    expect(links.of(product.address)).toEqual([url]);
  });

  it('that is refused fails; of a photo that is another one by now it says so', async () => {
    const answering = (facts: Parameters<typeof serviceError>) =>
      uploadStep(createIo({ uploadMedia: async () => err(serviceError(...facts)) }));
    expect(await run(answering(['refused', { status: 413 }]), uploadNode('front'))).toMatchObject({
      came: 'refused',
      problem: { detail: '"front.jpg" has 1 bytes. GET /x/: refused (413)' },
    });
    const changed = answering(['local-file', { code: 'ERR_FILE_CHANGED' }]);
    expect(await run(changed, uploadNode('front'))).toEqual({
      came: 'no-result',
      sent: 'maybe',
      problem: {
        summary: 'The photo was changed after the plan was made',
        detail: 'front.jpg is not the one that was planned any more. Run again to take it as it is now.',
      },
    });
  });

  it('is tried again where the service does not answer', async () => {
    const client: Pick<Client, 'uploadMedia'> = { uploadMedia: async () => err(serviceError('no-answer')) };
    expect(await run(uploadStep(createIo(client)), uploadNode('front'))).toMatchObject({ came: 'no-answer' });
  });
});

describe('steps', () => {
  it.each(['product', 'concept', 'media-config', 'upload'] as const)(
    'take their own kind only: %s',
    async (kind) => {
      const other = kind === 'product' ? conceptNode('x') : productNode('x');
      await expect(run(createSteps(createIo({}))[kind], other)).rejects.toThrow(`/x`);
    },
  );
});

describe('what another node has already', () => {
  const state = {
    ...emptyState(),
    objects: new Map(
      [
        { address: 'upload/9', result: { url: 'https://files/9.jpg?sig=1' } },
        { address: 'product/mug', result: { id: 'p-1' } },
        { address: 'concept/night', result: { id: 'k-1' } },
      ].map((object) => [object.address, object as ObjectState]),
    ),
  };
  const io = (client: Partial<Client>) => createIo(client, { names: createKnownNames(state) });
  const summary = 'The answer of the service cannot be used';

  it('makes the create of a product unknown: nobody knows what was made', async () => {
    const step = productStep(io({ createProduct: async () => ok(PRODUCT) }));
    expect(await run(step, { ...productNode('tote') })).toEqual({
      came: 'unusable',
      sent: 'yes',
      problem: {
        summary,
        detail: 'POST /products/: the answer names the product p-1, which product/mug has already',
      },
      request: 'POST /products/',
    });
  });

  it('makes the create of a concept unknown', async () => {
    const step = conceptStep(io({ createConcept: async () => ok(CONCEPT) }));
    expect(await run(step, conceptNode('day'))).toMatchObject({
      came: 'unusable',
      problem: {
        detail: 'POST /concepts/: the answer names the concept k-1, which concept/night has already',
      },
    });
  });

  it('makes an upload be sent again: one of two products would show the photo of the other', async () => {
    const step = uploadStep(io({ uploadMedia: async () => ok('https://files/9.jpg?sig=1') }));
    const outcome = await run(step, uploadNode('front'));
    expect(outcome).toMatchObject({
      came: 'unusable',
      problem: {
        summary,
        detail:
          'POST /upload-media/: the answer cannot be used (the answer names the URL https://files/9.jpg, which upload/9 has already)',
      },
    });
  });
});
