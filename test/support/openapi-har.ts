import { checkAnswer, checkRequest } from './openapi-check.ts';
import type { HarEntry } from './har-schema.ts';

/** Everything in which traced traffic with a service differs from the document; files are no part of the interface. */
export async function checkHar(entries: readonly HarEntry[], baseUrl: string): Promise<string[]> {
  const problems: string[] = [];
  for (const { request, response } of entries) {
    const { method, url } = request;
    const path = url.slice(baseUrl.length);
    if (!url.startsWith(`${baseUrl}/`) || path.startsWith('/files/')) continue;
    const { contentType, requestBody } = await bodyOf(request);
    const headers = request.headers.map(
      ({ name, value }) => [name.toLowerCase(), unredacted(value)] as const,
    );
    const requestHeaders = { ...Object.fromEntries(headers), ...contentType };
    problems.push(...(await checkRequest({ method, path, requestHeaders, requestBody })));
    // Without an answer the status is 0.
    const { status, content } = response;
    if (status > 0) problems.push(...checkAnswer({ method, path, status, responseBody: content.text ?? '' }));
  }
  return [...new Set(problems)];
}

/** A trace has no secrets: what stood there is a token of the right form. */
function unredacted(value: string): string {
  return value === '[redacted]' ? 'Bearer redacted' : value;
}

/** Forms are traced as their fields, so they are written anew, with a boundary of their own. */
async function bodyOf({ postData }: HarEntry['request']) {
  const params = postData?.params as readonly { name: string; value?: string }[] | undefined;
  if (params === undefined) return { contentType: {}, requestBody: Buffer.from(postData?.text ?? '') };
  const form = new FormData();
  for (const { name, value } of params) form.append(name, value ?? new Blob([]));
  const written = new Response(form);
  return {
    contentType: { 'content-type': written.headers.get('content-type') ?? '' },
    requestBody: Buffer.from(await written.arrayBuffer()),
  };
}
