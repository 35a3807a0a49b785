import { constants } from 'node:fs';
import * as fs from 'node:fs/promises';
import { syncFolder } from '../../util/atomic-file.ts';
import { isThere } from '../../util/new-file.ts';
import { encodeHeader } from './header.ts';
import type { StateIdentity } from '../store.ts';
import { ReplacedError } from '../write-error.ts';
import { type LogFile, logFileOf } from './log-writer.ts';
import type { RecordPlace } from '../../log/log-record.ts';
import type { StatePaths } from './work-folder.ts';

const FLAGS =
  constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;

interface Beginning {
  readonly lineage: string;
  readonly identity: StateIdentity;
  readonly aside: string;
  /** Whether it replaces a file without a header at its path. */
  readonly replaces: boolean;
  /** Called once its name is durable, before its first record. */
  readonly begun: (chain: RecordPlace) => Promise<void>;
}

/**
 * A log whose file is made by its first record, or by `begin`, so that a command that records nothing leaves no file.
 * The header is synced under another name, so that the file always has one, and the folder before anything follows.
 */
export function newLog(
  { file, folder, fresh }: StatePaths,
  { lineage, identity, aside, replaces, begun }: Beginning,
) {
  const { line, header, crc } = encodeHeader(lineage, identity);
  const chain = { seq: 0, crc };
  let log: Promise<LogFile> | undefined;

  async function make(): Promise<LogFile> {
    const handle = await fs.open(fresh, FLAGS, 0o600);
    try {
      await handle.writeFile(line);
      await handle.sync();
      if (!replaces && (await isThere(file)))
        throw new ReplacedError(`${file} was made by something else meanwhile`);
      await fs.rename(fresh, file);
      await syncFolder(folder);
      await begun(chain);
      return logFileOf(handle, file, aside);
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  const made = () => (log ??= make());
  return {
    header,
    chain,
    length: Buffer.byteLength(line),
    /** Makes the file, once; after an error it rejects every time. */
    async begin() {
      await made();
    },
    file: {
      write: async (bytes, offset) => (await made()).write(bytes, offset),
      datasync: async () => (await made()).datasync(),
      verify: async (length) => (await made()).verify(length),
      truncate: async (length) => (await made()).truncate(length),
      close: async () => (await log?.catch(() => undefined))?.close(),
    } satisfies LogFile,
  };
}
