/** Where a run finds the photos, and where it keeps the results; `signal` ends what goes over a network. */
import type { Part } from '../files/name-files.ts';
import type { Failed } from '../model/facts.ts';
import type { DownloadPayload, HashedImage } from '../model/payload.ts';
import type { DownloadResult } from '../model/result.ts';
import type { Result } from '../util/result.ts';

export interface RunFiles {
  /** The path of a file on this machine; a photo that is not the planned one, or cannot be had, is a failure. */
  photo(planned: HashedImage, signal: AbortSignal): Promise<Result<string, Failed>>;
  /** `path` is that of the payload. */
  room(path: string): DownloadRoom;
  /** Makes the folder of a room; throws where something else is in its place. */
  makeRoom(path: string): Promise<void>;
  /** Gives the whole files of a download their places. */
  keep(
    parts: readonly Part[],
    payload: DownloadPayload,
    signal: AbortSignal,
  ): Promise<Result<Pick<DownloadResult, 'files' | 'renamed'>, Failed>>;
}

/** Where the files of one download are until they are whole, and where those stay that are no result. */
export interface DownloadRoom {
  /** Absolute, without extension. */
  readonly path: string;
  /** The same for people: relative to the manifest's folder. */
  readonly shown: string;
}
