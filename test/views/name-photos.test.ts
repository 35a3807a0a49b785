import { expect, it } from 'vitest';
import type { Graph, GraphObject } from '../../src/model/graph.ts';
import type { RunState } from '../../src/model/run-state.ts';
import { failureDiagnostics } from '../../src/render/failure-text.ts';
import { withPhotos } from '../../src/views/name-photos.ts';

const SHA = 'ab'.repeat(32);
const UPLOAD = `upload/${SHA.slice(0, 16)}`;

const upload = {
  address: UPLOAD,
  kind: 'upload',
  payload: { file: 'photos/tote/front.jpg', bytes: 3, sha256: SHA, contentType: 'image/jpeg' },
} as unknown as GraphObject;
const product = { address: 'product/tote', kind: 'product', payload: {} } as unknown as GraphObject;
const graph = {
  objects: new Map([
    [UPLOAD, upload],
    ['product/tote', product],
  ]),
} as unknown as Graph;
const state = {
  objects: new Map([[UPLOAD, { result: { url: 'https://cdn.example.com/u/7.jpg?sig=x' } }]]),
} as unknown as RunState;

const photosOf = (detail: string | undefined, address: string) =>
  withPhotos({ summary: 'It failed', ...(detail === undefined ? {} : { detail }) }, address, { graph, state })
    .photos;

it('a failed upload names its photo, whatever the service said', () => {
  expect(photosOf(undefined, UPLOAD)).toEqual(['photos/tote/front.jpg']);
});

it('a refusal that names the URL of a photo, or its name at the service, names the photo', () => {
  const photo = ['photos/tote/front.jpg'];
  expect(photosOf('cannot decode https://cdn.example.com/u/7.jpg', 'product/tote')).toEqual(photo);
  expect(photosOf(`cannot decode ${SHA.slice(0, 16)}.jpg`, 'media/hero/1@1')).toEqual(photo);
  expect(photosOf('cannot decode https://cdn.example.com/u/8.jpg', 'product/tote')).toBeUndefined();
  expect(photosOf('no', 'product/tote')).toBeUndefined();
});

it('failures of one cause stay one message, with the photo of each', () => {
  const problem = {
    summary: 'The service refused the request',
    detail: 'POST /upload-media/: refused (413)',
  };
  const failures = ['a', 'b'].map((name) => ({
    address: `upload/${name}`,
    end: 'failed' as const,
    problem: { ...problem, photos: [`photos/${name}.jpg`] },
  }));
  const [only, ...others] = failureDiagnostics(failures, { quote: () => undefined, target: '' });
  expect(others).toEqual([]);
  expect(only?.detail).toContain('upload/a (photos/a.jpg), upload/b (photos/b.jpg)');
});
