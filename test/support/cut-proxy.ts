import { once } from 'node:events';
import net from 'node:net';
import { onTestFinished } from 'vitest';

/** The way to a server on this machine, which can be cut: whoever is connected loses the connection, and nobody gets one. */
export async function startCutProxy(to: URL) {
  const open = new Set<net.Socket>();
  let isCut = false;
  let losing: { readonly after: string; readonly to: string } | undefined;
  const server = net.createServer((near) => {
    if (isCut) return near.destroy();
    const far = net.connect(Number(to.port), to.hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => open.delete(socket));
    }
    let isMet = false;
    near.on('data', (asked: Buffer) => {
      isMet ||= losing !== undefined && asked.includes(losing.after);
      if (!isMet || !losing || !asked.includes(losing.to)) return;
      losing = undefined;
      far.unpipe(near);
      far.resume().once('data', () => {
        near.resetAndDestroy();
        far.destroy();
      });
    });
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
    /** Cuts one connection, when the server has answered this question: the first one after another one. */
    loseAnswer(question: { readonly after: string; readonly to: string }) {
      losing = question;
    },
    get hasLost(): boolean {
      return losing === undefined;
    },
  };
}
