import { createServer } from 'node:net';
import { onTestFinished } from 'vitest';

/** Puts a socket at a path: something in a folder that is neither a file nor a folder. Gone when the test ends. */
export async function socketFile(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(async () => {
    await new Promise((resolve) => void server.close(resolve));
  });
}
