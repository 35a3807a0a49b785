import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Behaviour } from '../behaviour.ts';
import type { Call } from '../fault-rules/calls.ts';
import type { RuleBook } from '../fault-rules/rule-book.ts';
import { readRules, readSwitches } from '../profiles/read-profile.ts';
import { refuse } from '../requests/envelope.ts';
import type { Ledger } from '../storage/ledger.ts';

export interface Control {
  readonly book: RuleBook;
  readonly behaviour: Behaviour;
  readonly calls: readonly Call[];
  readonly ledger: Ledger;
}

/** `/_control/…`: fault rules, switches, the log of calls and the ledger, for programs on this machine. */
export function controlRoutes(app: FastifyInstance, control: Control): void {
  const { book, behaviour, calls, ledger } = control;
  void app.register(
    async (api) => {
      api.addHook('onRequest', async (request, reply) =>
        isOfProgram(request)
          ? undefined
          : refuse(reply, 403, 'Only programs on this machine may use this route.'),
      );
      api.get('/orders', async () => book.counts());
      api.put('/orders', async (request, reply) => {
        const orders = readRules(request.body);
        if (!orders.ok) return refuse(reply, 400, orders.error);
        book.replace(orders.value);
        return book.counts();
      });
      api.delete('/orders', async (_request, reply) => {
        book.replace([]);
        return reply.code(204).send();
      });
      api.patch('/switches', async (request, reply) => changeSwitches(request, reply, behaviour));
      api.get('/calls', async () => calls);
      api.get('/ledger', async () => ledger.entries());
    },
    { prefix: '/_control' },
  );
}

/**
 * A page in a browser sends its origin. A page whose own name points to this machine was refused before
 * (check-host.ts).
 */
function isOfProgram({ headers }: FastifyRequest): boolean {
  return headers.origin === undefined;
}

async function changeSwitches(
  request: FastifyRequest,
  reply: FastifyReply,
  behaviour: Behaviour,
): Promise<FastifyReply> {
  const switches = readSwitches(request.body);
  if (!switches.ok) return refuse(reply, 400, switches.error);
  Object.assign(behaviour, switches.value);
  return reply.code(204).send();
}
