import { expiryUnit, readTokenLife } from '../../service/read-token.ts';
import { isJsonObject } from '../../util/json.ts';
import { type Check, ok, type Verdict, warning } from '../check.ts';
import type { Context } from '../context.ts';

const MINUTE_MS = 60_000;

export const expiresAt: Check<Context> = {
  id: 'expires_at',
  needs: ['token'],
  async look(context) {
    const { observed } = await context.ask();
    const answer = observed.find(({ data }) => isJsonObject(data) && data['access_token'] !== undefined);
    const value = isJsonObject(answer?.data) ? answer.data['expires_at'] : undefined;
    return judge(value, answer?.date ?? context.now());
  },
};

function judge(value: Parameters<typeof readTokenLife>[0], nowMs: number): Verdict {
  const lifeMs = readTokenLife(value, nowMs);
  if (lifeMs !== undefined)
    return ok(`read as ${expiryUnit(Number(value))}: the token lives ${lifeText(lifeMs)}`);
  const said = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}, which is no time to come`;
  return warning(
    `it ${said}`,
    'Nothing to do: the token is used until it is refused, then a new one is fetched.',
  );
}

function lifeText(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  const minutes = Math.round(ms / MINUTE_MS);
  return minutes < 180 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
