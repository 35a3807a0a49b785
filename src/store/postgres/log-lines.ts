/** A log in a database, read and written as the file that it would be: header and lines with their checksums. */
import type { FileHandle } from 'node:fs/promises';
import type { Clock } from '../../util/clock.ts';
import type { LogFile } from '../file/log-writer.ts';
import type { Connection } from './connection.ts';
import { DatabaseError, OlderLog } from './database-error.ts';
import type { Patiently } from './patience.ts';
import { whyOver } from './run-lock.ts';

const ROWS = 10_000;

interface Rows {
  readonly campaign: number;
  /** Absent where it was read before. */
  readonly header?: string;
  readonly after: number;
}

/** Reads on and on; the offset in the file is not looked at. */
export function logInRows(
  { query }: Pick<Connection, 'query'>,
  { campaign, header, after }: Rows,
): Pick<FileHandle, 'read'> {
  let rest = Buffer.from(header === undefined ? '' : `${header}\n`);
  let seq = after;
  let isLast = false;
  async function more(): Promise<void> {
    const rows = await query(
      'select seq::float8 as seq, line from campaign.event where campaign = $1 and seq > $2 order by seq limit $3',
      [campaign, seq, ROWS],
    );
    seq = Number(rows.at(-1)?.['seq'] ?? seq);
    isLast = rows.length < ROWS;
    rest = Buffer.from(rows.map(({ line }) => `${String(line)}\n`).join(''));
  }
  const read = async (buffer: Buffer, offset: number, length: number) => {
    while (rest.length === 0 && !isLast) await more();
    const bytesRead = rest.copy(buffer, offset, 0, length);
    rest = rest.subarray(bytesRead);
    return { bytesRead, buffer };
  };
  return { read } as unknown as Pick<FileHandle, 'read'>;
}

/** How long an append waits for a database that is away. */
export const PATIENCE_MS = 60_000;

/** After an answer that took longer, somebody else may have taken over: it is asked whether the run is still open. */
const FRESH_MS = 5_000;

interface Writing {
  readonly campaign: number;
  readonly run: number;
  /** The last record that is there. */
  readonly after: number;
  readonly clock: Clock;
  readonly patiently: Patiently;
  /** Makes the log, if it is new. */
  readonly begin: () => Promise<void>;
}

/** `datasync` writes: its transaction is durable when it resolves. It is refused once another run has taken over. */
export function rowsOfLog(
  connection: Connection,
  { campaign, run, clock, patiently, begin, ...from }: Writing,
): LogFile {
  let { after } = from;
  let unwritten: string[] = [];

  async function append(lines: readonly string[]): Promise<void> {
    await begin();
    const [row] = await connection.query('select campaign.append($1, $2, $3, $4) as came', [
      campaign,
      run,
      after,
      lines,
    ]);
    if (row?.['came'] === 'older') throw new OlderLog(after);
    if (row?.['came'] === 'lost') throw await whyOver(connection, run);
    if (row?.['came'] !== 'written') throw new DatabaseError('apart', 'another run has written the state');
  }

  async function isOpen(): Promise<boolean> {
    const rows = await connection.query('select from campaign.run where id = $1 and ended_at is null', [run]);
    return rows.length === 1;
  }

  return {
    write(bytes) {
      unwritten.push(...Buffer.from(bytes).toString().split('\n').slice(0, -1));
      return Promise.resolve({ bytesWritten: bytes.length });
    },
    async datasync() {
      const lines = unwritten;
      unwritten = [];
      let asked = clock.monotonic();
      await patiently(() => {
        asked = clock.monotonic();
        return append(lines);
      });
      after += lines.length;
      while (clock.monotonic() - asked > FRESH_MS) {
        asked = clock.monotonic();
        if (!(await patiently(isOpen))) throw await whyOver(connection, run);
      }
    },
    verify: () => Promise.resolve(),
    truncate: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
