import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../util/clock.ts';
import type { Behaviour } from '../behaviour.ts';
import { cutConnection } from '../faults/cut.ts';
import { drip } from '../faults/drip.ts';
import { sendHalf } from '../faults/half-body.ts';
import { misframe } from '../faults/misframe.ts';
import { collect, discard, drain, type Payload } from '../faults/payload.ts';
import { redirect } from '../faults/redirect.ts';
import { makeFailure } from '../faults/status.ts';
import type { Waits } from '../faults/waits.ts';
import { wrongBody } from '../faults/wrong-body.ts';
import { PATH_PREFIX } from '../files/record.ts';
import { logCall, type OpenCall } from './calls.ts';
import type { Fault } from './fault-rule.ts';
import type { RuleBook } from './rule-book.ts';
import { routeName } from './routes.ts';

export interface Stage {
  readonly clock: Clock;
  readonly behaviour: Behaviour;
  readonly book: RuleBook;
  readonly calls: OpenCall[];
  readonly waits: Waits;
}

interface Playing {
  readonly call: OpenCall;
  /** The fault that is still to be played, on the answer. */
  fault?: Fault | undefined;
}

/** Logs every request and plays its fault: before its route sees it, or on the answer of the route. */
export function playFaults(app: FastifyInstance, stage: Stage): void {
  const playing = new WeakMap<FastifyRequest, Playing>();
  const dateText = createDateText();

  app.addHook('onRequest', (request, reply, next) => {
    if (request.url.startsWith('/_control/')) {
      next();
      return;
    }
    const call = logCall(stage.calls, describeCall(request, stage.clock));
    reply.raw.once('close', () => {
      call.status ??= 'cut';
    });
    const fault = stage.book.decide(call.route);
    if (fault !== undefined) call.played = fault.fault;
    playing.set(request, { call, fault: isBefore(fault) ? undefined : fault });
    const waitMs = stage.behaviour.latencyMs + (fault?.fault === 'delay' ? fault.ms : 0);
    const go = () => (isBefore(fault) ? playBefore(fault, { request, reply, call, stage }) : next());
    if (waitMs === 0) void go();
    else void stage.waits.wait(waitMs).then(go);
  });

  app.addHook('onSend', (request, reply, payload: Payload, send) => {
    const entry = playing.get(request);
    if (entry === undefined) {
      send(null, payload);
      return;
    }
    const { call, fault } = entry;
    void reply.header('date', dateText(stage.clock.now()));
    call.status = reply.statusCode;
    if (fault === undefined) send(null, payload);
    else playAfter(fault, { reply, call, payload, stage, send: (body) => send(null, body) }).catch(send);
  });
}

function describeCall(request: FastifyRequest, clock: Clock): Omit<OpenCall, 'n'> {
  const { method, url, routeOptions } = request;
  const path = (url.split('?', 1)[0] ?? '').replace(PATH_PREFIX, '');
  const pattern = routeOptions.url?.replace(PATH_PREFIX, '') ?? path;
  const at = new Date(clock.now()).toISOString();
  return { at, method, path, route: routeName(method, pattern) };
}

/** The Date header, computed once a second, as node does. */
function createDateText(): (now: number) => string {
  let second = Number.NaN;
  let text = '';
  return (now) => {
    const current = Math.floor(now / 1_000);
    if (current !== second) text = new Date(now).toUTCString();
    second = current;
    return text;
  };
}

type BeforeFault = Extract<Fault, { fault: 'status' | 'redirect' | 'cut' | 'silence' }>;

/** Faults that are played before the request has an effect. */
function isBefore(fault: Fault | undefined): fault is BeforeFault {
  if (fault?.fault === 'status') return fault.effect !== 'after';
  if (fault?.fault === 'cut' || fault?.fault === 'silence') return fault.effect === 'before';
  return fault?.fault === 'redirect';
}

async function playBefore(
  fault: BeforeFault,
  scene: { request: FastifyRequest; reply: FastifyReply; call: OpenCall; stage: Stage },
): Promise<void> {
  const { request, reply, call, stage } = scene;
  await drain(request.raw);
  switch (fault.fault) {
    case 'status':
      void reply.send(makeFailure(reply, fault, stage.clock));
      return;
    case 'redirect':
      redirect(request, reply, fault);
      return;
    case 'cut':
      call.status = 'cut';
      cutConnection(reply, fault.reset);
      return;
    case 'silence':
  }
}

async function playAfter(
  fault: Fault,
  scene: {
    reply: FastifyReply;
    call: OpenCall;
    payload: Payload;
    stage: Stage;
    send: (body: Payload) => void;
  },
): Promise<void> {
  const { reply, call, payload, stage, send } = scene;
  switch (fault.fault) {
    case 'half-body':
      sendHalf(reply, await collect(payload), fault.length);
      return;
    case 'framing':
      misframe(reply, await collect(payload), { how: fault.how, waits: stage.waits });
      return;
    case 'drip': {
      const body = await collect(payload);
      void reply.header('content-length', body.length);
      send(drip(body, fault, stage.waits));
      return;
    }
    case 'body': {
      const { body, headers } = wrongBody(fault.body, (await collect(payload)).toString());
      void reply.removeHeader('content-length').headers(headers);
      send(body);
      return;
    }
    case 'status':
      discard(payload);
      call.status = fault.status;
      send(makeFailure(reply, fault, stage.clock));
      return;
    case 'cut':
      discard(payload);
      call.status = 'cut';
      cutConnection(reply, fault.reset);
      return;
    case 'silence':
      discard(payload);
      delete call.status;
      return;
    case 'delay':
    case 'redirect':
    case 'generation':
      send(payload);
  }
}
