import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';

/** A certificate of test/support/tls. */
export type TestCertificate = 'service' | 'expired' | 'other-host' | 'self-signed';

/** The file to trust (NODE_EXTRA_CA_CERTS); the certificates are described beside it. */
export const TEST_AUTHORITY = join(import.meta.dirname, 'tls', 'authority.pem');

/** The name that the certificate `service` is for and nobody can look up. */
export const TEST_HOST = 'visuals.campaign.test';

/** A service behind TLS. */
export interface TlsFront {
  readonly port: number;
  /** TLS handshakes that succeeded. */
  readonly handshakes: number;
  close(): Promise<void>;
}

const read = (name: string) => readFileSync(join(import.meta.dirname, 'tls', name));

export function testCertificate(certificate: TestCertificate = 'service') {
  return { key: read('test-only.key'), cert: read(`${certificate}.pem`) };
}

/**
 * Speaks TLS on this port, else a free one, and hands the bytes on to a local service; `cut`: ends each connection after its handshake;
 * `clients`: each has to show `client.pem`.
 */
export async function startTlsFront(
  service: { readonly url: string },
  options: { certificate?: TestCertificate; cut?: true; clients?: 'known'; port?: number } = {},
): Promise<TlsFront> {
  const sockets = new Set<net.Socket>();
  let handshakes = 0;
  const server = tls.createServer({
    ...testCertificate(options.certificate),
    ...(options.clients && { requestCert: true, rejectUnauthorized: true, ca: read('client.pem') }),
  });
  server.on('tlsClientError', () => {});
  server.on('secureConnection', (outer) => {
    handshakes += 1;
    outer.on('error', () => {});
    if (options.cut) {
      outer.once('data', () => outer.destroy());
      return;
    }
    const inner = net.connect(Number(new URL(service.url).port), '127.0.0.1');
    inner.on('error', () => outer.destroy());
    outer.on('close', () => inner.destroy());
    outer.pipe(inner).pipe(outer);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get handshakes() {
      return handshakes;
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
