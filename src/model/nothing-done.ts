/** What may be said about a status in `service.nothing_done`: all advice and every warning about that setting is here. */

/** Said by whatever lost an answer, or by a service that broke off in the middle of its work. */
const LOST_4XX: ReadonlySet<number> = new Set([408, 499]);

/** The one 5xx that is also the word of a service that takes no request at all. */
const NOT_TAKEN = 503;

/** True for a status that never proves that a create did nothing. */
export function isLostAnswer(status: number): boolean {
  return LOST_4XX.has(status) || (status >= 500 && status !== NOT_TAKEN);
}

/** Why such a status is no proof: one sentence. */
export function whyNoProof(status: number): string {
  return status === 502 || status === 504
    ? `A gateway says ${status} when it has lost the answer of the service, which may have carried the request out.`
    : `${status} does not say that the service did nothing: it may have carried the request out.`;
}

/** What to do about a create that is unknown since it got this status; `set` is `service.nothing_done` as it is written. */
export function adviceFor(status: number, set: readonly (number | string)[]): string {
  if (isLostAnswer(status)) return `${whyNoProof(status)} Look whether it exists there, and then decide.`;
  const kept = set.filter((entry) => typeof entry === 'string' || !isLostAnswer(entry));
  const entries = [...kept, status].map((entry) => (typeof entry === 'string' ? `"${entry}"` : entry));
  return (
    `Only if the documentation of the service promises that it does nothing when it answers ${status}, say ` +
    `service.nothing_done: [${entries.join(', ')}]. A gateway may say ${status} as well, after the request was carried out; ` +
    'then it is sent again, and made twice.'
  );
}

/** What is wrong with such a status in `service.nothing_done`. */
export function warningAbout(status: number): string {
  return `${whyNoProof(status)} With ${status} in nothing_done, a create that got it is sent again, and may be made twice. Take it out, and decide about such a create with \`campaign resolve\`.`;
}
