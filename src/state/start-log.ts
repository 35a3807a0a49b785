import type { FileHandle } from 'node:fs/promises';
import { syncFolder } from '../util/atomic-file.ts';
import { encodeHeader, type LogHeader, type LogIdentity } from './header.ts';
import type { ChainEnd } from './record.ts';

/** Begins an empty log: its header and its entry in the folder are on disk before this resolves. */
export async function startLog(
  file: FileHandle,
  log: { readonly folder: string; readonly lineage: string; readonly identity: LogIdentity },
): Promise<{ header: LogHeader; chain: ChainEnd; length: number }> {
  const { line, header, crc } = encodeHeader(log.lineage, log.identity);
  await file.writeFile(line);
  await file.sync();
  await syncFolder(log.folder);
  return { header, chain: { seq: 0, crc }, length: Buffer.byteLength(line) };
}
