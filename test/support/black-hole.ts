/** A port on which connections never come about: its queue is full, and nobody takes anything out of it. */
import { once } from 'node:events';
import net from 'node:net';
import { Worker } from 'node:worker_threads';

export interface BlackHole {
  readonly port: number;
  close(): Promise<void>;
}

/** A thread that listens and then stands still: what the kernel queued for it stays there. */
const STANDS_STILL = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: workerData.port, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(workerData.never), 0, 0));
  });
`;
/** More than a queue of one holds: those left over wait for ever, and that is how it shows that it is full. */
const QUEUED = 4;

/** Opens one on 127.0.0.1; port 0 is any free one. */
export async function startBlackHole(port = 0): Promise<BlackHole> {
  const never = new SharedArrayBuffer(4);
  const worker = new Worker(STANDS_STILL, { eval: true, workerData: { port, never } });
  const [bound] = (await once(worker, 'message')) as [number];
  const fillers = Array.from({ length: QUEUED }, () => net.connect(bound, '127.0.0.1').on('error', () => {}));
  const [first] = fillers;
  if (first) await once(first, 'connect');
  return {
    port: bound,
    async close() {
      for (const filler of fillers) filler.destroy();
      Atomics.store(new Int32Array(never), 0, 1);
      Atomics.notify(new Int32Array(never), 0);
      await worker.terminate();
    },
  };
}
