/** A held service that keeps books: what it has answered as made counts, however the client took that. */
import { FILE, ID, medium, success } from '../cli/held-answers.ts';
import { PNG } from '../cli/small-campaign.ts';
import type { HeldCall, HeldService } from '../support/held-service.ts';

const LISTS = {
  'POST /products/': 'product',
  'POST /concepts/': 'concept',
  'POST /media-config/': 'media-config',
};
type Made = { readonly kind: string; readonly id: string };

export interface NotedService extends HeldService {
  /** Oldest first. */
  readonly made: readonly Made[];
}

export function keepBooks(service: HeldService): NotedService {
  const made: Made[] = [];
  return {
    ...service,
    made,
    async next(request) {
      const call = await service.next(request);
      const kind = LISTS[request as keyof typeof LISTS];
      return kind === undefined ? call : noted(call, kind, made);
    },
  };
}

function noted(call: HeldCall, kind: string, made: Made[]): HeldCall {
  return {
    ...call,
    respond(status, json, headers) {
      if (status < 300) made.push({ kind, id: (json as { data: { id: string } }).data.id });
      call.respond(status, json, headers);
    },
  };
}

/** Ids that this one gives are not those that tests usually give (held-answers.ts). */
const OTHER = Object.fromEntries(
  Object.entries(ID).map(([name, id]) => [name, id.replace(/0000$|000(\d)$/, '001$1')]),
) as typeof ID;

/** Answers everything from now on, as the service that made what the books say. */
export function answerAll(service: HeldService): void {
  const media_info = `${service.url}/files/1.png`;
  const done = (config: string) => medium('success', { media_info, generate_config: config });
  const product = (id: string) => success({ id, name: 'tote', variant: 'plain', media_urls: [] });
  const answers: Readonly<Record<string, object>> = {
    'POST /upload-media/': success('https://cdn.example.com/tote.png'),
    'POST /concepts/': success({ id: OTHER.concept }),
    'POST /products/': success({ id: OTHER.product }),
    'POST /media-config/': success({ id: OTHER.config, items: [{ id: OTHER.item, post_type: 'image' }] }),
    [`GET /products/${ID.product}/`]: product(ID.product),
    [`GET /media/${ID.config}/${ID.item}/`]: done(ID.config),
    [`GET /media/${OTHER.config}/${OTHER.item}/`]: done(OTHER.config),
  };
  for (const [request, answer] of Object.entries(answers))
    void forEver(request, (call) => call.respond(200, answer));
  void forEver(FILE, (call) => call.respondRaw(200, PNG, { 'content-type': 'image/png' }));

  async function forEver(request: string, answer: (call: HeldCall) => void): Promise<never> {
    for (;;) answer(await service.next(request));
  }
}
