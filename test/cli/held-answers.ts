/** Everyday answers for the held service, so that a test speaks only of what it is about. */
import type { HeldService } from '../support/held-service.ts';
import { PNG } from './small-campaign.ts';

export const ID = {
  product: '00000000-0000-4000-8000-000000000001',
  concept: '00000000-0000-4000-8000-000000000002',
  config: '00000000-0000-4000-8000-000000000003',
  item: '00000000-0000-4000-8000-000000000004',
  media: '00000000-0000-4000-8000-000000000005',
};

/** Where the medium of the single item is asked for first. */
export const POLL = `GET /media/${ID.config}/${ID.item}/`;

/** Where its file is fetched. */
export const FILE = 'GET /files/1.png';

export function success(data: unknown): object {
  return { status: 'success', message: 'ok', data };
}

export function failure(message: string): object {
  return { status: 'failed', message };
}

/** A media configuration of the single item, as it was created. */
export const CONFIG = success({ id: ID.config, items: [{ id: ID.item, post_type: 'image' }] });

/** The medium of the single item in one state. */
export function medium(status: string, more: object = {}): object {
  return success({ id: ID.media, generate_config: ID.config, status, media_info: '', ...more });
}

/** The second request for the single item, which the service knows by ids of its own. */
export const AGAIN = {
  config: '00000000-0000-4000-8000-000000000013',
  item: '00000000-0000-4000-8000-000000000014',
  media: '00000000-0000-4000-8000-000000000015',
};
export const CONFIG_AGAIN = success({ id: AGAIN.config, items: [{ id: AGAIN.item, post_type: 'image' }] });

/** Answers the upload and the concept. */
export async function makeUpstream(service: HeldService): Promise<void> {
  const upload = await service.next('POST /upload-media/');
  upload.respond(200, success('https://cdn.example.com/tote.png'));
  (await service.next('POST /concepts/')).respond(201, success({ id: ID.concept }));
}

/** Answers everything that the single item's request builds on. */
export async function makeObjects(service: HeldService): Promise<void> {
  await makeUpstream(service);
  (await service.next('POST /products/')).respond(201, success({ id: ID.product }));
}

/** Answers everything up to the request, itself included. */
export async function makeRequest(service: HeldService): Promise<void> {
  await makeObjects(service);
  (await service.next('POST /media-config/')).respond(201, CONFIG);
}

/** Answers polls with success from now on, and hands out the file. */
export async function finishMedium(service: HeldService): Promise<void> {
  void answerPolls(service, POLL, medium('success', { media_info: `${service.url}/files/1.png` }));
  (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
}

/** The same for what the second request made. */
export async function finishAgain(service: HeldService): Promise<void> {
  const facts = { id: AGAIN.media, generate_config: AGAIN.config, media_info: `${service.url}/files/1.png` };
  void answerPolls(service, `GET /media/${AGAIN.config}/${AGAIN.item}/`, medium('success', facts));
  (await service.next(FILE)).respondRaw(200, PNG, { 'content-type': 'image/png' });
}

async function answerPolls(service: HeldService, poll: string, answer: object): Promise<never> {
  for (;;) (await service.next(poll)).respond(200, answer);
}

/** What was sent that creates something, in order. */
export function creates(service: HeldService): string[] {
  return service.seen.filter((request) => /^POST \/(products|concepts|media-config)\//.test(request));
}
