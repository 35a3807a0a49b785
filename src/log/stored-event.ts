/**
 * Limits what the log takes of a result to the list in docs/state-log.md. Steps choose what they return; this is the
 * last place that can leave something out.
 */
import type { Problem } from '../model/problem.ts';
import type { ConceptResult, MediaResult, ProductResult, RequestResult } from '../model/result.ts';
import type { StateEvent } from '../model/state-event.ts';
import { defined } from '../util/defined.ts';
import { plainUrl } from '../util/plain-url.ts';

export function storedEvent(event: StateEvent): StateEvent {
  const { type } = event;
  if ('problem' in event) return { ...event, problem: storedProblem(event.problem) };
  if (type === 'uploaded') {
    const { url } = event.result;
    return { ...event, result: url !== undefined && plainUrl(url) === url ? { url } : {} };
  }
  if (type === 'updated') return { ...event, result: storedObject(event.result) };
  if (type === 'generated') return { ...event, result: storedMedia(event.result) };
  if (type === 'listed') return { ...event, result: storedRequest(event.result) };
  if (type === 'created' || type === 'imported') return { ...event, result: storedCreate(event.result) };
  if (type === 'resolved' && event.result) return { ...event, result: storedCreate(event.result) };
  return event;
}

/** How a problem is shown, and how a command ends, is no part of the state. */
const PROBLEM_MEMBERS = new Set(['summary', 'detail', 'cause', 'photos', 'status', 'retry_at', 'source']);

function storedProblem(problem: Problem): Problem {
  const members = Object.entries(problem).filter(([name]) => PROBLEM_MEMBERS.has(name));
  return Object.fromEntries(members) as unknown as Problem;
}

function storedMedia({ id, urls }: MediaResult): MediaResult {
  return { id, urls: urls.map(plainUrl) };
}

function storedCreate(result: ProductResult | ConceptResult | RequestResult) {
  return 'items' in result ? storedRequest(result) : storedObject(result);
}

/** The URL of a product may be one from the manifest, which stays as it is. */
function storedObject(result: ProductResult | ConceptResult): ProductResult {
  const { id } = result;
  const { url, name, told }: Partial<ProductResult> = result;
  return { id, ...defined({ url, name, told }) };
}

function storedRequest({ id, concept, items, surplus }: RequestResult): RequestResult {
  return { id, concept, items, ...(surplus ? { surplus } : {}) };
}
