/** Deletes a product, a concept or a request at the service. It may be sent as often as needed. */
import type { Address } from '../model/address.ts';
import type { Facts } from '../model/facts.ts';
import type { DeletedKind } from '../model/kinds.ts';
import { type Deletion, isDeletion } from '../model/plan.ts';
import type { Step, Steps } from '../model/step.ts';
import type { Problem } from '../model/problem.ts';
import type { Client } from '../service/client.ts';
import { removeOutputs } from '../files/remove-outputs.ts';
import type { CallOptions, Reply } from '../service/endpoints.ts';
import type { ServiceError } from '../service/service-error.ts';
import { requestFailed, unclear } from './request-facts.ts';
import { diskFailure } from './download.ts';
import type { StepIo } from './step-io.ts';
import type { Witness } from './witnesses.ts';

const REMOVE: Readonly<
  Record<DeletedKind, (client: Client, id: string, options: CallOptions) => Reply<undefined>>
> = {
  product: (client, id, options) => client.deleteProduct(id, options),
  concept: (client, id, options) => client.deleteConcept(id, options),
  'media-config': (client, id, options) => client.deleteMediaConfig(id, options),
};

interface Knowing {
  readonly witnesses: readonly Witness[];
  /** Some of what the service has answered for in this run; more than two say nothing more. */
  readonly answered: Set<Address>;
  /** A 404 was not believed in this run. */
  isDenying: boolean;
  /** Where nothing else could show that the service is well: whether what is deleted last was there at the beginning. */
  lastWasThere: Promise<boolean> | undefined;
}

/** The steps of a run that deletes something. */
export function withDeletions(steps: Steps, io: StepIo, witnesses: readonly Witness[]): Steps {
  const knowing: Knowing = { witnesses, answered: new Set(), isDenying: false, lastWasThere: undefined };
  const remove = deleteStep(io, knowing);
  const noting = (step: Step): Step => ({
    async run(job, signal, answered) {
      const facts = await (isDeletion(job.node) ? remove : step).run(job, signal, answered);
      const isAnswer = facts.came === 'result' && facts.sent === 'yes';
      if (isAnswer && knowing.answered.size < 2) knowing.answered.add(job.node.address);
      return facts;
    },
  });
  const { product, concept, 'media-config': request, media } = steps;
  return {
    ...steps,
    product: noting(product),
    concept: noting(concept),
    'media-config': noting(request),
    media: noting(media),
  };
}

function deleteStep(io: StepIo, knowing: Knowing): Step {
  return {
    async run({ node, attempt }, signal): Promise<Facts> {
      if (!isDeletion(node)) throw new Error(`nothing is deleted at ${node.address}`);
      const send = () => REMOVE[node.kind](io.client, node.payload.id, { signal });
      const wasThere = attempt === 1 && (await isKnownToBe(io, knowing, signal));
      let answer = await send();
      if (!answer.ok && isAbsent(answer.error)) {
        const shown = await showsItself(io, node, { ...knowing, wasThere, signal });
        knowing.isDenying ||= shown === 'no';
        if (shown === 'no') return unclear(denied(answer.error));
        // The 404 may have been of an outage that is over by now.
        if (shown === 'now') answer = await send();
        if (!answer.ok && isAbsent(answer.error) && (await isStillThere(io.client, node, signal)))
          return unclear(stillThere(answer.error));
      }
      if (!answer.ok && !isAbsent(answer.error)) return requestFailed(answer.error, io);
      try {
        await removeOutputs(io.place, node.payload.files ?? []);
      } catch (error) {
        // It is not recorded as deleted, so the next run comes back for its files.
        return diskFailure(error);
      }
      return { came: 'result', sent: 'yes', result: {} };
    },
  };
}

/** Asks once in a run. */
function isKnownToBe({ client }: StepIo, knowing: Knowing, signal: AbortSignal): Promise<boolean> {
  const [last, ...others] = knowing.witnesses;
  const isAlone = last?.isLast === true && others.length === 0;
  knowing.lastWasThere ??= isAlone ? last.answers(client, { signal }) : Promise.resolve(false);
  return knowing.lastWasThere;
}

/** A gateway may refuse every DELETE with 404. Concepts cannot be read. */
async function isStillThere(
  client: Client,
  { kind, payload: { id } }: Deletion,
  signal: AbortSignal,
): Promise<boolean> {
  if (kind === 'concept') return false;
  const answer = await (kind === 'product'
    ? client.getProduct(id, { signal })
    : client.getMediaConfig(id, { signal }));
  return answer.ok;
}

function isAbsent({ status }: ServiceError): boolean {
  return status === 404 || status === 410;
}

interface Asking extends Knowing {
  /** No DELETE has left for it in this run, and it may have been there when the run began. */
  readonly wasThere: boolean;
  readonly signal: AbortSignal;
}

/** Whether the service has something else: it says so now; or it has said so in this run, and nothing is left to ask for. */
async function showsItself(
  { client }: StepIo,
  { address }: Deletion,
  { witnesses, answered, isDenying, wasThere, signal }: Asking,
): Promise<'now' | 'before' | 'no'> {
  const others = witnesses.filter((witness) => witness.address !== address);
  for (const witness of others) if (await witness.answers(client, { signal })) return 'now';
  if (others.length || wasThere || isDenying) return 'no';
  return [...answered].some((other) => other !== address) ? 'before' : 'no';
}

function denied({ request, status }: ServiceError): Problem {
  return {
    summary: 'Nobody knows whether it is deleted',
    detail:
      `${request}: ${status}, and the service showed nothing else that it has. Is this the account (API key) and the base URL ` +
      'that made it? Run again later; if it is gone for good, `campaign state rm` forgets it.',
  };
}

function stillThere({ request, status }: ServiceError): Problem {
  return {
    summary: 'It is not deleted',
    detail:
      `${request}: ${status}, and yet the service still has it. Does something between here and the service refuse to delete? ` +
      'Run again later.',
  };
}
