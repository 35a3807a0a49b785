/**
 * Who may see the page: whoever has the link that the command printed. The token in its fragment, which browsers send to
 * nobody, is exchanged by the page, once, for a cookie; from then on the link is worth nothing.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** 256 bits each. */
const SECRET_BYTES = 32;

export interface Admission {
  readonly token: string;
  /** The cookie's value; undefined where the token is another one, or was used before. */
  exchange(token: string): Exchanged;
  /** Whether the cookies of a request let it in. */
  admits(cookies: string | undefined): boolean;
}

type Exchanged =
  | { readonly type: 'admitted'; readonly cookie: string }
  | { readonly type: 'used' }
  | { readonly type: 'wrong' };

/** Cookies of 127.0.0.1 go to every port, but only below their path, and that is another one for each server. */
export function createAdmission({ path }: { readonly path: string }): Admission {
  const token = secret();
  const session = secret();
  let isUsed = false;
  return {
    token,
    exchange(given) {
      if (!isEqual(given, token)) return { type: 'wrong' };
      if (isUsed) return { type: 'used' };
      isUsed = true;
      return {
        type: 'admitted',
        cookie: `${NAME}=${session}; Path=${path}; HttpOnly; SameSite=Strict`,
      };
    },
    admits: (cookies = '') => valuesIn(cookies).some((value) => isEqual(value, session)),
  };
}

const NAME = 'campaign-ui';

function secret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

function valuesIn(cookies: string): string[] {
  const parts = cookies.split(';').map((part) => part.trim());
  return parts.filter((part) => part.startsWith(`${NAME}=`)).map((part) => part.slice(NAME.length + 1));
}

/** In a time that tells nothing about either. */
function isEqual(given: string, wanted: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(wanted));
}

function digestOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
