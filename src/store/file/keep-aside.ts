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
    let at = from;
    let bytesRead: number;
    do {
      ({ bytesRead } = await file.read(block, 0, Math.min(block.length, to - at), at));
      await copy.writeFile(block.subarray(0, bytesRead));
      at += bytesRead;
    } while (bytesRead > 0);
    await copy.sync();
  } finally {
    await copy.close();
  }
  await syncFolder(path.dirname(target));
}
