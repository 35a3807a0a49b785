import { jwtVerify, SignJWT } from 'jose';
import type { TokenData } from '../../service/wire.ts';
import type { Clock } from '../../util/clock.ts';
import type { Behaviour } from '../behaviour.ts';

const AUDIENCE = 'visual-generation-service';

/** A new bearer token, HS256, and when it expires in the unit that is asked. */
export async function issueToken(options: {
  secret: Uint8Array;
  clock: Clock;
  behaviour: Behaviour;
}): Promise<Partial<TokenData>> {
  const { secret, clock, behaviour } = options;
  const issued = Math.floor(clock.now() / 1000);
  // Whole seconds, rounded up, so that a token of one second is not over at once.
  const expires = Math.ceil(clock.now() / 1000) + behaviour.tokenLifeSeconds;
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(AUDIENCE)
    .setIssuedAt(issued)
    .setExpirationTime(expires)
    .sign(secret);
  const expiresAt = {
    'epoch-seconds': expires,
    'epoch-milliseconds': expires * 1000,
    lifetime: behaviour.tokenLifeSeconds,
    zero: 0,
    negative: -1,
    none: undefined,
  }[behaviour.expiresAt];
  return {
    access_token: token,
    token_type: 'Bearer',
    ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
  };
}

/** True for a token of ours that has not expired. */
export async function isValidToken(
  token: string,
  key: { secret: Uint8Array; clock: Clock },
): Promise<boolean> {
  const currentDate = new Date(key.clock.now());
  return jwtVerify(token, key.secret, { algorithms: ['HS256'], audience: AUDIENCE, currentDate }).then(
    () => true,
    () => false,
  );
}
