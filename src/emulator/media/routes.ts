import type { FastifyInstance } from 'fastify';
import type { EmulatorContext } from '../context.ts';
import { refuse, succeed } from '../requests/envelope.ts';
import { appearance } from './generation-fault.ts';
import type { MediaOutcome } from './outcome.ts';
import { mediaPathOf, presentMedia, type MediaJob } from './record.ts';

/** GET /media/{object_id}/{id}/ */
export function mediaRoutes(app: FastifyInstance, context: EmulatorContext): void {
  const { answers, behaviour, clock, generation, records } = context;

  app.get<{ Params: { objectId: string; id: string } }>('/media/:objectId/:id/', async (request, reply) => {
    const order = findOrder(request.params);
    const outcome = order === undefined ? undefined : generation.outcome(order.id);
    const hidden = outcome === undefined && behaviour.pendingAs === 'not-found';
    const looks = order === undefined || hidden ? 'gone' : looksOf(order, outcome);
    if (order === undefined || looks === 'gone') return refuse(reply, 404, 'Generated media not found.');
    const data = presentMedia(order, outcome, {
      request,
      behaviour,
      now: clock.now(),
      appearance: looks,
      areListed: behaviour.filesListed === 'at-once' || !outcome || answers.count(`${order.id}-files`) > 1,
    });
    return succeed(reply, { code: 200, message: 'Generated media retrieved successfully.', data });
  });

  function looksOf(order: MediaJob, outcome: MediaOutcome | undefined) {
    const { id, fault } = order;
    const isCounted = fault?.how === 'disappears' || (fault?.how === 'goes-back' && outcome !== undefined);
    return appearance(fault, isCounted ? answers.count(id) : 1);
  }

  function findOrder(asked: { objectId: string; id: string }): MediaJob | undefined {
    const order = records.media.get(behaviour.mediaPath === 'item-config' ? asked.objectId : asked.id);
    if (order === undefined) return undefined;
    const path = mediaPathOf(order, behaviour.mediaPath);
    return path.objectId === asked.objectId && path.id === asked.id ? order : undefined;
  }
}
