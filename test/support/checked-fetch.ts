import { checkAnswer, checkExchange } from './openapi-check.ts';

/** Fetches from an endpoint, and says in what the exchange is not as the document has it. */
export async function fetchAndCheck(
  baseUrl: string,
  path: string,
  init: RequestInit,
): Promise<{ answer: Response; problems: string[] }> {
  const request = new Request(baseUrl + path, init);
  const requestBody = Buffer.from(await request.clone().arrayBuffer());
  const answer = await fetch(request);
  const exchange = {
    method: request.method,
    path,
    requestHeaders: Object.fromEntries(request.headers),
    requestBody,
    status: answer.status,
    responseBody: await answer.clone().text(),
  };
  // What is refused may be wrong in any way; what is accepted must be right.
  return { answer, problems: answer.ok ? await checkExchange(exchange) : checkAnswer(exchange) };
}

/** Fetches and throws where the document is not followed; `expected`: what the service gets wrong on purpose. */
export async function checkedFetch(
  service: { readonly url: string; readonly expected: readonly RegExp[] },
  path: string,
  init: RequestInit,
): Promise<Response> {
  const { answer, problems } = await fetchAndCheck(service.url, path, init);
  const unexpected = problems.filter((problem) => !service.expected.some((pattern) => pattern.test(problem)));
  if (unexpected.length > 0)
    throw new Error(`not as schemas/service.openapi.yaml has it:\n${unexpected.join('\n')}`);
  return answer;
}
