/** A real S3 server (s3rver) that checks signatures, on a free port of this machine. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** The only credentials that it knows. */
export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
export const BUCKET = 'campaign-tests';

export type S3Server = Awaited<ReturnType<typeof startS3Server>>;

export async function startS3Server(buckets: readonly string[] = [BUCKET]) {
  const directory = await mkdtemp(join(tmpdir(), 'campaign-s3-'));
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: buckets.map((name) => ({ name, configs: [] })),
  });
  const { port } = (await server.run()) as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    /** Where it keeps its objects. */
    directory,
    /** What a process needs to use it. */
    env: { ...S3_KEYS, AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_S3: url },
    async close() {
      server.httpServer.closeAllConnections();
      await server.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
