/** What a person looks for at the service, to see whether an unknown create made something: there is no list to ask for. */
import type { Address } from '../model/address.ts';
import type { Graph } from '../model/graph.ts';
import { kindOf } from '../model/kinds.ts';
import type { LookFor, Problem } from '../model/problem.ts';
import type { RequestState, RunState } from '../model/run-state.ts';
import { inertText } from '../util/inert-text.ts';
import { textOf } from '../util/json.ts';

interface Known {
  readonly graph: Graph;
  readonly state: RunState;
}

/** Undefined for what the state does not know, and for kinds of nodes that are never unknown. */
export function lookFor(address: Address, known: Known): LookFor | undefined {
  const request = known.state.requests.get(address);
  if (request) return forRequest(request, known);
  const object = known.state.objects.get(address);
  const kind = kindOf(address);
  if (!object || (kind !== 'product' && kind !== 'concept')) return undefined;
  return { kind, name: sentName(address, known), sent_at: object.at };
}

/** The problem of an unknown create, with what to look for. */
export function withLookFor(problem: Problem, address: Address, known: Known): Problem {
  const sought = lookFor(address, known);
  return sought ? { ...problem, look_for: sought } : problem;
}

function forRequest({ at, payload, requestedAt = at }: RequestState, known: Known): LookFor {
  const { concept, items, numberOfPosts: posts } = payload;
  const formats = items.map(
    ({ payload: { post_type, metadata } }) => `${post_type} ${metadata.aspect_ratio}`,
  );
  const assets = items.flatMap(({ payload }) => payload.assets);
  const id = conceptIdOf(concept, known.state);
  return {
    kind: 'media-config',
    ...('address' in concept ? { concept: sentName(concept.address, known) } : {}),
    ...(id === undefined ? {} : { concept_id: id }),
    posts,
    formats: [...new Set(formats)],
    products: [
      ...new Set(
        assets.map(({ product }) => ('id' in product ? product.id : sentName(product.address, known))),
      ),
    ],
    captions: [...new Set(items.flatMap(({ payload: { descriptions } }) => descriptions))],
    sent_at: requestedAt,
  };
}

/** `showing "Canvas tote", with the text "Morning light"`: what tells one request from another; empty for anything else. */
export function shownWords(sought: LookFor): string {
  if (sought.kind !== 'media-config') return '';
  const { products, captions } = sought;
  return [
    ...(products.length ? [`showing ${listed(products)}`] : []),
    ...(captions.length ? [`with the ${captions.length === 1 ? 'text' : 'texts'} ${listed(captions)}`] : []),
  ].join(', ');
}

const SHOWN = 3;

function listed(texts: readonly string[]): string {
  const more = texts.length > SHOWN ? ` and ${texts.length - SHOWN} more` : '';
  return `${texts
    .slice(0, SHOWN)
    .map((text) => `"${inertText(text, 60)}"`)
    .join(', ')}${more}`;
}

/** The id of the concept that a request was sent with. */
export function conceptIdOf(
  concept: RequestState['payload']['concept'],
  { objects }: Pick<RunState, 'objects'>,
): string | undefined {
  if ('id' in concept) return concept.id;
  const result = objects.get(concept.address)?.result;
  return result && 'id' in result ? result.id : undefined;
}

/** The name that a product or concept was sent with: a default name is in the manifest only. */
export function sentName(address: Address, { graph, state }: Known): string {
  const written = textOf(state.objects.get(address)?.inputs['name']);
  if (written !== '') return written;
  const object = graph.objects.get(address);
  const isDefault = object !== undefined && object.inputs['name'] === undefined;
  if (isDefault && 'name' in object.payload) return object.payload.name;
  return address.slice(address.indexOf('/') + 1);
}
