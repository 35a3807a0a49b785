import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { EXIT } from '../model/exit.ts';
import { jsonText } from '../util/inert-json.ts';
import type { JsonObject } from '../util/json.ts';
import { lookAtPlace, openStream, wordsOf, writeToStream } from '../util/own-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { version } from './package-info.ts';

export interface TraceFile {
  readonly add: (entry: JsonObject) => void;
  /** What went wrong in writing it; undefined when it is complete. */
  close(): string | undefined;
}

/** The beginning of a trace by campaign, which may be replaced. */
const OURS = '{"log":{"version":"1.2","creator":{"name":"campaign","version":';
const HEAD = /^\{"log":\{"version":"1\.2","creator":\{"name":"campaign","version":/;
const TAIL = '\n]}}\n';
const FLAGS = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Opens the file for one run. New entries overwrite the closing brackets and end with new ones, in one write, so that
 * the file is valid JSON after every entry, also if the run is killed; nothing of it is held in memory.
 */
export function openTraceFile(path: string): Result<TraceFile, Refusal> {
  const place = lookAtPlace(path, { head: HEAD, name: 'trace of campaign' });
  if (!place.ok) return err(cannotTrace(path, `${place.error}.`));
  try {
    if (place.value === 'stream') return ok(streamedFile(openStream(path)));
    const fd = openSync(path, FLAGS, 0o600);
    // Something else took the name in the meantime.
    if (!fstatSync(fd).isFile()) {
      closeSync(fd);
      return err(cannotTrace(path, 'it is no file.'));
    }
    fchmodSync(fd, 0o600);
    ftruncateSync(fd, 0);
    return ok(growingFile(fd));
  } catch (error) {
    return err(cannotTrace(path, `${wordsOf(error)}.`));
  }
}

/** A pipe or a device: what was written cannot be overwritten, so the brackets are closed at the end. */
function streamedFile(fd: number): TraceFile {
  let problem: string | undefined;
  let separator = '\n';
  const write = (text: string) => {
    if (problem !== undefined) return;
    try {
      writeToStream(fd, text);
    } catch (error) {
      problem = wordsOf(error);
    }
  };
  write(`${OURS}${JSON.stringify(version)}},"entries":[`);
  return {
    add(entry) {
      write(`${separator}${jsonText(entry)}`);
      separator = ',\n';
    },
    close() {
      write(TAIL);
      closeSync(fd);
      return problem;
    },
  };
}

function growingFile(fd: number): TraceFile {
  let end = 0;
  let isFirst = true;
  let problem: string | undefined;

  function append(text: string): void {
    const bytes = Buffer.from(text + TAIL);
    for (let done = 0; done < bytes.length; )
      done += writeSync(fd, bytes, done, bytes.length - done, end + done);
    end += bytes.length - TAIL.length;
  }

  append(`${OURS}${jsonText(version)}},"entries":[`);
  return {
    add(entry) {
      if (problem !== undefined) return;
      try {
        append(`${isFirst ? '' : ','}\n${jsonText(entry)}`);
        isFirst = false;
      } catch (error) {
        problem = wordsOf(error);
        closeBrackets();
      }
    },
    close() {
      closeSync(fd);
      return problem;
    },
  };

  /** The disk is full: what came so far stays readable, because there was room for its last brackets. */
  function closeBrackets(): void {
    try {
      ftruncateSync(fd, end);
      writeSync(fd, TAIL, end);
    } catch {
      // Only the first problem is reported.
    }
  }
}

function cannotTrace(path: string, why: string): Refusal {
  const detail = `${path}: ${why}`;
  return refusal(EXIT.cannotWrite, { code: 'cannot-write', summary: 'The trace cannot be written', detail });
}
