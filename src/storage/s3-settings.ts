/** How an S3-compatible store is reached: all that is not in the URL comes from the environment, and so do the credentials. */
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import { attempt } from '../util/attempt.ts';
import { isLoopbackHost } from '../util/loopback.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { S3Settings } from './object-store.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** Variables that hold what nobody may see. */
export const STORAGE_SECRETS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;

export function readS3Settings(
  named: Pick<S3Settings, 'bucket' | 'prefix'>,
  env: Variables,
): Result<S3Settings, FatalProblem> {
  const [accessKeyId, secretAccessKey, sessionToken] = STORAGE_SECRETS.map(
    (name) => env[name]?.trim() || undefined,
  );
  if (!accessKeyId || !secretAccessKey)
    return err(noCredentials(accessKeyId ? 'AWS_SECRET_ACCESS_KEY' : 'AWS_ACCESS_KEY_ID'));
  // A line end in a header would be an error of the connection.
  if (/[\s\p{Cc}]/u.test(`${accessKeyId}${secretAccessKey}${sessionToken ?? ''}`))
    return err(oddCredentials());
  const region = env['AWS_REGION']?.trim() || env['AWS_DEFAULT_REGION']?.trim() || 'us-east-1';
  if (!/^[a-z0-9-]+$/i.test(region)) return err(notSet('AWS_REGION', 'is no region such as eu-central-1'));
  const endpoint = endpointOf(region, env);
  if (!endpoint.ok) return endpoint;
  const written = env['CAMPAIGN_S3_PATH_STYLE']?.trim().toLowerCase();
  if (written && written !== 'true' && written !== 'false')
    return err(notSet('CAMPAIGN_S3_PATH_STYLE', 'is neither true nor false'));
  const { url, isOwn } = endpoint.value;
  // A certificate for *.HOST does not cover a name with dots before it, and few stores of one's own have such names.
  const byDefault = isOwn || named.bucket.includes('.') || !canPrecede(named.bucket, url);
  const isPathStyle = url.pathname !== '/' || (written ? written === 'true' : byDefault);
  if (!isPathStyle && !canPrecede(named.bucket, url))
    return err(
      notSet('CAMPAIGN_S3_PATH_STYLE', `is false, and ${named.bucket} cannot stand before ${url.hostname}`),
    );
  return ok({ ...named, region, endpoint: url, isPathStyle, accessKeyId, secretAccessKey, sessionToken });
}

/**
 * A URL leaves a name out before an address of numbers, and has no capitals there: the request would be for another bucket.
 * A part of a host that begins with xn-- stands for another word, and what a URL does with a wrong one differs by the version of Node.
 * Without TLS, a name below that of this machine may lead away from it.
 */
function canPrecede(bucket: string, { protocol, hostname }: URL): boolean {
  const host = `${bucket}.${hostname}`;
  if (protocol !== 'https:' || /(?:^|\.)xn--/.test(bucket)) return false;
  return attempt(() => new URL(`https://${host}`))?.hostname === host;
}

function endpointOf(region: string, env: Variables): Result<{ url: URL; isOwn: boolean }, FatalProblem> {
  const name = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'].find((each) => env[each]?.trim());
  const written = name && env[name]?.trim();
  if (!name || !written) return ok({ url: new URL(`https://s3.${region}.amazonaws.com`), isOwn: false });
  // The value may hold a password.
  if (!URL.canParse(written)) return err(notSet(name, 'is no URL'));
  const url = new URL(written);
  if (url.username || url.password || url.search || url.hash)
    return err(notSet(name, 'has more than scheme, host, port and path'));
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopbackHost(url.hostname)))
    return err(notSet(name, 'is not safe: write https://; only this machine is reached by http://'));
  return ok({ url, isOwn: true });
}

function noCredentials(missing: string): FatalProblem {
  return configured(
    'no-storage-credentials',
    'No credentials for the storage',
    `${missing} is not set. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and AWS_SESSION_TOKEN where there is one; profiles and ` +
      'roles are not read (`aws configure export-credentials --format env` prints the variables).',
  );
}

function oddCredentials(): FatalProblem {
  return configured(
    'odd-storage-credentials',
    'The credentials for the storage are no single words',
    `One of ${STORAGE_SECRETS.join(', ')} has a space or a line end in it. Let each hold its value alone.`,
  );
}

function notSet(variable: string, why: string): FatalProblem {
  return configured(
    'bad-storage-setting',
    'A setting of the storage is wrong',
    `${variable} ${why}. Correct it, or unset it.`,
  );
}

function configured(code: string, summary: string, detail: string): FatalProblem {
  return { code, exit: EXIT.configuration, summary, detail };
}
