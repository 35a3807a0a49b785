import net from 'node:net';
import tls from 'node:tls';
import type { TlsFiles } from '../service/connections.ts';
import { err, ok, type Result } from '../util/result.ts';

/** Whether a connection can be made: codes are those of Node (`ECONNREFUSED`, `CERT_HAS_EXPIRED`). */
export interface Reach {
  /** `host:port` of the service, or of the proxy on the way to it. */
  readonly target: string;
  /** The address of the host, or the code of the error. */
  readonly connected: Result<string, string>;
  /** When the certificate of the target ends, epoch milliseconds; absent over plain http. */
  readonly verified?: Result<number, string>;
}

/** Connects, then closes the connection at once: no request is sent. */
export function reach(
  url: URL,
  { proxy, timeoutMs, files }: { proxy: URL | undefined; timeoutMs: number; files?: TlsFiles | undefined },
): Promise<Reach> {
  const { hostname, port, protocol } = proxy ?? url;
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = { host, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
  const isTls = protocol === 'https:';
  // They are for the service alone.
  const own = proxy ? {} : files;
  const servername = net.isIP(host) ? '' : host;
  return new Promise((resolve) => {
    const socket = isTls
      ? tls.connect({ ...own, ...at, servername, rejectUnauthorized: true })
      : net.connect(at);
    let address: string | undefined;
    const end = (last: Result<number, string>) => {
      socket.destroy();
      const connected = address === undefined ? err(last.ok ? '' : last.error) : ok(address);
      const verified = isTls && address !== undefined ? { verified: last } : {};
      resolve({ target: `${hostname}:${at.port}`, connected, ...verified });
    };
    socket.setTimeout(timeoutMs, () => end(err('ETIMEDOUT')));
    socket.once('connect', () => {
      address = socket.remoteAddress ?? host;
      if (!isTls) end(ok(0));
    });
    socket.once('secureConnect', () => {
      if (socket instanceof tls.TLSSocket) end(ok(Date.parse(socket.getPeerCertificate().valid_to)));
    });
    // Another error may follow the first one; nothing waits for it.
    socket.on('error', (error: NodeJS.ErrnoException) => end(err(error.code ?? 'EIO')));
  });
}
