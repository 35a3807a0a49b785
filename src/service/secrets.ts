/** Shorter texts are no secrets, and replacing them would destroy ordinary words. */
const MIN_LENGTH = 4;
/** The oldest tokens are dropped, because they have expired: with a life of a second there would be no end of them. */
const MAX_SECRETS = 1_000;
const REDACTED = '[redacted]';

/** What must leave the process only in requests: API key, tokens, the credentials of a proxy. */
export type Secrets = ReturnType<typeof createSecrets>;

export function createSecrets(first: readonly string[]) {
  const known = new Map<string, readonly string[]>();
  /** The longest first, so that a part does not hide the whole. */
  let ordered: readonly string[] | undefined;
  const add = (secret: string) => {
    if (secret.length < MIN_LENGTH || known.has(secret)) return;
    known.set(secret, spellings(secret));
    ordered = undefined;
    // The API key and the proxy's credentials were added first, and stay.
    const oldest = [...known.keys()][first.length];
    if (known.size > MAX_SECRETS && oldest !== undefined) known.delete(oldest);
  };
  first.forEach(add);
  return {
    add,
    redact: (text: string) => {
      ordered ??= [...new Set([...known.values()].flat())].sort((a, b) => b.length - a.length);
      return ordered.reduce((left, spelling) => left.replaceAll(spelling, REDACTED), text);
    },
  };
}

/** The forms of a secret: as it is, in a URL, a form, JSON, HTML, hexadecimal, and (part of) base64. */
function spellings(secret: string): string[] {
  const inUrl = encodeURIComponent(secret);
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const inside = [0, 1, 2].map((before) => insideBase64(bytes, before));
  return [
    secret,
    inUrl,
    inUrl.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()),
    inUrl.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    secret.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    ...inside,
    ...inside.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
    ...[hex, hex.replace(/../g, '%$&')].flatMap((text) => [text, text.toUpperCase()]),
  ];
}

/** Base64 digits of a secret after so many other bytes (in `Basic` a name), without digits that are shared. */
function insideBase64(bytes: Buffer, before: number): string {
  const text = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  return text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
}
