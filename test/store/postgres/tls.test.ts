/** A Postgres behind TLS: verify-full takes a certificate of a known authority for its name, and nothing else; no password leaves before. */
import { copyFileSync, chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checksOf } from '../../cli/doctor-run.ts';
import { campaignFolder, SINGLE, untilTestEnds } from '../../cli/small-campaign.ts';
import { startBareService } from '../../support/bare-service.ts';
import { hasOwnPostgres, ownPostgres } from '../../support/own-postgres.ts';
import { makeDatabase } from '../../support/postgres.ts';
import { PASSWORD, userToRunAs } from '../../support/start-postgres.ts';
import { TEST_AUTHORITY, type TestCertificate } from '../../support/tls-front.ts';

const CERTIFICATES = join(import.meta.dirname, '../../support/tls');

/** Its certificate can be another one after a restart. */
async function postgresWithTls() {
  let place = '';
  const present = (certificate: TestCertificate) => {
    for (const [from, to] of [
      [`${certificate}.pem`, 'server.crt'],
      ['test-only.key', 'server.key'],
    ] as const) {
      copyFileSync(join(CERTIFICATES, from), join(place, to));
      chmodSync(join(place, to), 0o600);
      const user = userToRunAs();
      if (user) chownSync(join(place, to), user.uid, user.gid);
    }
  };
  const server = await ownPostgres((folder) => {
    place = folder;
    present('service');
    return { ssl: 'on', ssl_cert_file: join(folder, 'server.crt'), ssl_key_file: join(folder, 'server.key') };
  });
  return {
    url: server.url,
    async startWith(certificate: TestCertificate) {
      await server.end();
      present(certificate);
      await server.again();
    },
  };
}

describe.runIf(hasOwnPostgres)('a connection to Postgres over TLS', () => {
  it('is made with sslmode=verify-full where name and authority are right, and with nobody else', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const campaign = await campaignFolder(SINGLE, service);
    const server = await postgresWithTls();
    const stateAt = (more: string, host = '127.0.0.1') => ({
      CAMPAIGN_STATE: `${server.url.replace('127.0.0.1', host)}?sslmode=${more}`,
    });
    const known = `verify-full&sslrootcert=${TEST_AUTHORITY}`;
    for (const host of ['127.0.0.1', 'localhost']) {
      const { code, stderr } = await campaign.run(['apply', 'm.yaml'], stateAt(known, host));
      expect({ host, code, stderr }).toMatchObject({ code: 0 });
    }
    const examined = await campaign.run(['doctor', 'm.yaml', '--json'], stateAt(known));
    expect(checksOf(examined).get('database')?.summary).toContain('over TLS');

    const refused = async (env: Record<string, string>, why: RegExp) => {
      const { code, stderr } = await campaign.run(['plan', 'm.yaml'], env);
      expect({ code, stderr }).toEqual({ code: 78, stderr: expect.stringMatching(why) as string });
      expect(stderr).toContain('The connection to the database is not safe');
      expect(stderr).not.toContain(PASSWORD);
      const worker = campaign.start(['worker', '--json'], env);
      const waiting = await worker.seen(/"waiting"/);
      worker.process.kill('SIGTERM');
      expect(await worker.end).toMatchObject({ code: 0 });
      expect(JSON.parse(waiting)).toMatchObject({ code: 'database-tls' });
    };
    await refused(
      stateAt('verify-full'),
      /unable to (?:verify the first|get local issuer) certificate[^]*sslrootcert/,
    );
    for (const [certificate, why] of [
      ['other-host', /Hostname\/IP does not match certificate's altnames|not in the cert's list/],
      ['expired', /certificate has expired/],
      ['self-signed', /self-signed certificate/],
    ] as const) {
      await server.startWith(certificate);
      await refused(stateAt(known), why);
    }
    // On this machine nobody is in between: encrypted, and nothing is checked.
    expect(await campaign.run(['plan', 'm.yaml'], stateAt('require'))).toMatchObject({ code: 0 });
  });

  it('is not made without TLS where it is asked for', async () => {
    const campaign = await campaignFolder(SINGLE, { url: 'http://127.0.0.1:9' });
    const env = { CAMPAIGN_STATE: `${await makeDatabase()}?sslmode=verify-full` };
    const { code, stderr } = await campaign.run(['plan', 'm.yaml'], env);
    expect({ code, stderr }).toEqual({
      code: 78,
      stderr: expect.stringContaining('The server does not support SSL connections') as string,
    });
  });
});
