import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Of a file, or of the target of a link; undefined for anything else, which is not waited for. */
export async function sha256Of(path: string): Promise<string | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  if (!handle) return undefined;
  try {
    if (!(await handle.stat()).isFile()) return undefined;
    const hash = createHash('sha256');
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>)
      hash.update(chunk);
    return hash.digest('hex');
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
