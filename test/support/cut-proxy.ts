import { once } from 'node:events';
import net from 'node:net';
import { onTestFinished } from 'vitest';

/** The way to a server on this machine, which can be cut: whoever is connected loses the connection, and nobody gets one. */
export async function startCutProxy(to: URL) {
  const open = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((near) => {
    if (isCut) return near.destroy();
    const far = net.connect(Number(to.port), to.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
    }
    near.pipe(far).pipe(near);
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(to);
  url.port = String((server.address() as net.AddressInfo).port);
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.resetAndDestroy();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: url.href,
    cut,
    mend() {
      isCut = false;
    },
  };
}
