import { hasKey } from '../../model/kinds.ts';
import { expiryUnit, readTokenLife } from '../../service/read-token.ts';
import { isJsonObject, type Json } from '../../util/json.ts';
import { plainUrl } from '../../util/plain-url.ts';
import { type Check, notSeen, ok, type CheckResult, warning } from '../check.ts';
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

function judge(value: Json | undefined, nowMs: number): CheckResult {
  const lifeMs = readTokenLife(value, nowMs);
  if (lifeMs !== undefined)
    return ok(`read as ${expiryUnit(Number(value))}: the token lives ${lifeText(lifeMs)}`);
  const said = value === undefined ? 'is missing' : `is ${JSON.stringify(value)}, which is no time to come`;
  const action = 'Nothing to do: the token is used until it is refused, then a new one is fetched.';
  return warning(`it ${said}`, action);
}

function lifeText(ms: number): string {
  if (ms < 2 * MINUTE_MS) return `${Math.round(ms / 1000)} s`;
  const minutes = Math.round(ms / MINUTE_MS);
  return minutes < 180 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export const successCodes: Check<Context> = {
  id: 'success_codes',
  async look(context) {
    const { observed } = await context.ask();
    const seen = [...new Set(observed.map(({ status }) => status).filter((status) => status < 300))];
    return ok(`any 2xx is a success${seen.length ? `; seen: ${seen.join(', ')}` : ''}`);
  },
};

export const uploadUrl: Check<Context> = {
  id: 'upload_url',
  look({ manifest, state }) {
    const { uploadUrl: pointer } = manifest.environment.gaps;
    const upload = [...state.objects.values()].findLast(({ address, result }) => result && !hasKey(address));
    if (upload?.result) {
      const url = 'url' in upload.result ? upload.result.url : undefined;
      const link = url === undefined ? 'a link that is not kept' : plainUrl(url);
      return ok(`found, ${upload.address} is ${link}`);
    }
    return pointer === undefined ? notSeen('upload', 'service.upload_url') : ok(`set to ${pointer}`);
  },
};
