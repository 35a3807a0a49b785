/** Deleting: what is sent, and when a 404 counts. */
import { mkdtemp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Deletion } from '../../src/model/plan.ts';
import type { Client } from '../../src/service/client.ts';
import type { ServiceErrorFacts } from '../../src/service/service-error.ts';
import { createSteps } from '../../src/steps/create-steps.ts';
import type { StepIo } from '../../src/steps/step-io.ts';
import { type Witness, witnessesOf } from '../../src/steps/witnesses.ts';
import { err, ok } from '../../src/util/result.ts';
import { BOTH, ONE, prunedPlan } from '../plan/prune-sample.ts';
import { graphOf } from '../support/campaign.ts';
import { after, AT, stateAfter } from '../support/play-plan.ts';
import { createIo, jobOf, MADE, serviceError, signal } from './step-rig.ts';

const GONE = err(serviceError('refused', { status: 404 }));
const DONE = { came: 'result', sent: 'yes', result: {} };

function deletionOf(address: string, more: Partial<Deletion['payload']> = {}): Deletion {
  const kind = address.split('/')[0] as Deletion['kind'];
  const payload = { id: `id of ${address}`, posts: [], ...more };
  return { address, kind, action: 'delete', reasons: [], dependsOn: [], payload };
}

/** A service that answers DELETEs in turn, and GETs as `there` says. */
function service(answers: readonly unknown[], there: readonly string[] = []) {
  const asked: string[] = [];
  const remove = (id: string) => {
    asked.push(`DELETE ${id}`);
    return Promise.resolve(
      (answers[asked.filter((one) => one.startsWith('DELETE')).length - 1] ?? answers.at(-1)) as never,
    );
  };
  const read = (id: string) => {
    asked.push(`GET ${id}`);
    return Promise.resolve((there.includes(id) ? ok(MADE) : GONE) as never);
  };
  const client: Partial<Client> = {
    deleteProduct: remove,
    deleteConcept: remove,
    deleteMediaConfig: remove,
    getProduct: read,
    getMediaConfig: read,
  };
  return { client, asked };
}

const witness = (address: string): Witness => ({
  address,
  answers: async (client) => (await client.getProduct(`id of ${address}`)).ok,
});

async function remove(
  node: Deletion,
  answers: readonly unknown[],
  {
    there = [],
    witnesses = [],
    ...io
  }: { there?: string[]; witnesses?: string[] } & Partial<Omit<StepIo, 'witnesses'>> = {},
) {
  const { client, asked } = service(
    answers,
    there.map((address) => `id of ${address}`),
  );
  const steps = createSteps(createIo(client, { ...io, witnesses: witnesses.map(witness) }));
  return { facts: await steps[node.kind].run(jobOf(node), signal), asked, steps };
}

describe('a deletion', () => {
  it.each(['product/a', 'concept/a', 'media-config/a@1'])('of %s is one request', async (address) => {
    const { facts, asked } = await remove(deletionOf(address), [ok(undefined)]);
    expect([facts, asked]).toEqual([DONE, [`DELETE id of ${address}`]]);
  });

  it.each<[ServiceErrorFacts['came'], number]>([
    ['unproven', 409],
    ['server-error', 503],
    ['throttled', 429],
    ['unauthorized', 401],
  ])('that is answered with %s (%d) is not done', async (came, status) => {
    const { facts, asked } = await remove(deletionOf('product/a'), [err(serviceError(came, { status }))], {
      witnesses: ['product/b'],
    });
    expect([facts, asked]).toMatchObject([{ came }, ['DELETE id of product/a']]);
  });

  it.each([404, 410])(
    'that is answered with %d is done where something else is there, also after one more try',
    async (status) => {
      const gone = err(serviceError('refused', { status }));
      const there = { there: ['product/b'], witnesses: ['product/a', 'product/x', 'product/b'] };
      const { facts, asked } = await remove(deletionOf('product/a'), [gone], there);
      expect(facts).toEqual(DONE);
      expect(asked).toEqual([
        'DELETE id of product/a',
        'GET id of product/x',
        'GET id of product/b',
        'DELETE id of product/a',
        'GET id of product/a',
      ]);
      expect((await remove(deletionOf('product/a'), [gone, ok(undefined)], there)).facts).toEqual(DONE);
      const failing = await remove(
        deletionOf('product/a'),
        [gone, err(serviceError('server-error', { status: 500 }))],
        there,
      );
      expect(failing.facts).toMatchObject({ came: 'server-error' });
    },
  );

  it('that is answered with 404 is not done while everything else is 404, too', async () => {
    const { facts } = await remove(deletionOf('product/a'), [GONE], { witnesses: ['product/b'] });
    expect(facts).toMatchObject({
      came: 'unclear',
      problem: { summary: 'Nobody knows whether it is deleted' },
    });
    // What was answered before says nothing about now, where something could be asked.
    const { steps } = await remove(deletionOf('product/a'), [ok(undefined), GONE], {
      witnesses: ['product/b'],
    });
    expect(await steps.concept.run(jobOf(deletionOf('concept/c')), signal)).toMatchObject({
      came: 'unclear',
    });
  });

  it.each(['product/a', 'media-config/a@1'])(
    'of %s that is answered with 404 is not done while it can be read',
    async (address) => {
      const there = { there: ['product/b', address], witnesses: ['product/b'] };
      const { facts } = await remove(deletionOf(address), [GONE], there);
      expect(facts).toMatchObject({ came: 'unclear', problem: { summary: 'It is not deleted' } });
    },
  );

  it('of the last thing that could be read counts with 404 if the service has answered for another in this run', async () => {
    const last = { witnesses: ['product/last'] };
    expect((await remove(deletionOf('product/last'), [GONE], last)).facts).toMatchObject({ came: 'unclear' });
    const { steps } = await remove(deletionOf('concept/c'), [ok(undefined), GONE], last);
    expect(await steps.product.run(jobOf(deletionOf('product/last')), signal)).toEqual(DONE);
  });
});

describe('what is deleted last', () => {
  const LAST = deletionOf('product/last');

  /** Another deletion succeeds first; then the last one is answered with `answers`. */
  async function lastOf(before: readonly string[], answers: readonly unknown[], attempt = 1) {
    const there = [...before];
    const { client, asked } = service([ok(undefined), ...answers], there);
    const steps = createSteps(
      createIo(client, { witnesses: [{ ...witness('product/last'), isLast: true }] }),
    );
    const first = await steps.concept.run(jobOf(deletionOf('concept/c')), signal);
    // The DELETE whose answer was lost.
    if (attempt > 1) there.length = 0;
    return { first, facts: await steps.product.run(jobOf(LAST, { attempt }), signal), asked };
  }

  it('is looked for once at the beginning, where nothing else could show that the service is well', async () => {
    const { first, facts, asked } = await lastOf(['id of product/last'], [ok(undefined)]);
    expect([first, facts]).toEqual([DONE, DONE]);
    expect(asked).toEqual(['GET id of product/last', 'DELETE id of concept/c', 'DELETE id of product/last']);
  });

  it('is not taken for deleted by a 404 where it was there, and no DELETE has left for it', async () => {
    expect((await lastOf(['id of product/last'], [GONE])).facts).toMatchObject({ came: 'unclear' });
    expect((await lastOf(['id of product/last'], [GONE], 2)).facts).toEqual(DONE);
    expect((await lastOf([], [GONE])).facts).toEqual(DONE);
  });

  it('is not taken for deleted where another 404 was not believed in this run', async () => {
    const { client } = service([ok(undefined), GONE, GONE]);
    const steps = createSteps(
      createIo(client, { witnesses: [{ ...witness('product/last'), isLast: true }] }),
    );
    const run = (node: Deletion) => steps[node.kind].run(jobOf(node), signal);
    expect(await run(deletionOf('concept/c'))).toEqual(DONE);
    expect(await run(deletionOf('concept/d'))).toMatchObject({ came: 'unclear' });
    expect(await run(LAST)).toMatchObject({ came: 'unclear' });
  });
});

describe('files of a deletion', () => {
  const bytes = Buffer.from('a picture');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const file = (path: string) => ({ path, sha256, bytes: bytes.length, contentType: 'image/png' });

  it('go only where they are what was downloaded, after the request is gone, with the folders that they leave empty', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'campaign-delete-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await mkdir(join(folder, 'out/deep/folder'), { recursive: true });
    for (const name of ['deep/folder/same', 'edited', 'target'])
      await writeFile(join(folder, 'out', name), bytes);
    await writeFile(join(folder, 'out/edited'), 'retouched');
    await symlink('target', join(folder, 'out/link'));
    const names = ['out/deep/folder/same', 'out/edited', 'out/link', 'out/missing', 'out/deep'];
    const node = deletionOf('media-config/a@1', { files: names.map(file) });
    const failed = await remove(node, [err(serviceError('server-error', { status: 500 }))], {
      place: { folder, dir: 'out', outside: 'refuse' },
    });
    expect(failed.facts.came).toBe('server-error');
    expect(await readdir(join(folder, 'out'))).toEqual(['deep', 'edited', 'link', 'target']);
    expect(
      (await remove(node, [ok(undefined)], { place: { folder, dir: 'out', outside: 'refuse' } })).facts,
    ).toEqual(DONE);
    expect(await readdir(join(folder, 'out'))).toEqual(['edited', 'link', 'target']);
  });
});

describe('what shows that the service is well', () => {
  const addresses = (words = ONE, state = stateAfter(BOTH)) =>
    witnessesOf(prunedPlan(words, state), state, graphOf(words)).map(({ address }) => address);

  it('is a product and a request that stay, a product by its id, and the product that goes last', () => {
    expect(addresses()).toEqual(['product/tote', 'media-config/hero@1', 'product/mug']);
    const named = {
      ...ONE,
      products: { ...ONE.products, cup: { id: '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f' } },
    };
    expect(addresses(named)[0]).toBe('product/cup');
  });

  it('is nothing that a refresh did not find, and nothing where nothing is deleted', () => {
    const gone = after(stateAfter(BOTH), {
      type: 'refreshed',
      at: AT,
      address: 'product/tote',
      found: 'gone',
    });
    expect(addresses(ONE, gone)).toEqual(['media-config/hero@1', 'product/mug']);
    expect(addresses(BOTH)).toEqual([]);
  });

  it('is read at the service', async () => {
    const state = stateAfter(BOTH);
    const { client, asked } = service([GONE], ['id of product/tote']);
    const all = witnessesOf(prunedPlan(ONE, state), state, graphOf(ONE));
    const answers = await Promise.all(all.map((one) => one.answers(client as Client, { signal })));
    expect([answers, asked]).toEqual([
      [true, false, false],
      ['GET id of product/tote', 'GET id of media-config/hero@1', 'GET id of product/mug'],
    ]);
  });
});
