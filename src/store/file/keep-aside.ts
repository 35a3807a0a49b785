import * as fs from 'node:fs/promises';
import path from 'node:path';
import { syncFolder } from '../../util/atomic-file.ts';

const BLOCK = 1 << 20;

/** Copies a part of an open file into a new one, which is durable when this resolves. */
export async function keepAside(
  file: Pick<fs.FileHandle, 'read'>,
  { from, to }: { readonly from: number; readonly to: number },
  target: string,
): Promise<void> {
  const copy = await fs.open(target, 'wx', 0o600);
  try {
    const block = Buffer.alloc(Math.min(BLOCK, to - from));
    for (let at = from; at < to; ) {
      const { bytesRead } = await file.read(block, 0, Math.min(block.length, to - at), at);
      if (bytesRead === 0) break;
      await copy.writeFile(block.subarray(0, bytesRead));
      at += bytesRead;
    }
    await copy.sync();
  } finally {
    await copy.close();
  }
  await syncFolder(path.dirname(target));
}
