/**
 * What a storage keeps: photos and results under names that have their SHA-256, and one index of results for each campaign
 * and environment. Bytes never change under such a name, so it does not matter who puts them there, how often, or in what order.
 */
import type { FatalProblem } from '../model/problem.ts';
import { extensionOf } from '../util/media-type.ts';
import type { Result } from '../util/result.ts';

/** Keeps objects, each of them bytes under a key: an S3-compatible store, or a folder that several machines have. */
export interface ObjectStore {
  /** As users know it; it holds no credential. */
  readonly name: string;
  /**
   * A repeated put does no harm. The file is sent only if it has the bytes that are meant. `signal` ends what is sent over a
   * network, with an error.
   */
  put(key: string, file: SentFile, signal?: AbortSignal): Promise<Result<void, FatalProblem>>;
  /** Streams an object, into a new file at `path` where one is named; undefined where there is none. */
  read(
    key: string,
    path?: string,
    signal?: AbortSignal,
  ): Promise<Result<ReadObject | undefined, FatalProblem>>;
  /** Its first bytes, at most so many; undefined where there is none. */
  head(key: string, bytes: number, signal?: AbortSignal): Promise<Result<Buffer | undefined, FatalProblem>>;
  /** In bytes; undefined where there is none. */
  size(key: string): Promise<Result<number | undefined, FatalProblem>>;
  /** Ends what is under way. */
  close(): void;
}

export interface SentFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly contentType: string;
}

export interface ReadObject {
  readonly bytes: number;
  readonly sha256: string;
}

export function photoKey(sha256: string): string {
  return `photos/${sha256}`;
}

export function outputKey({ sha256, contentType }: { sha256: string; contentType: string }): string {
  return `outputs/${sha256}${extensionOf(contentType)}`;
}

export function indexKey(campaign: string, environment: string): string {
  return `index/${campaign}.${environment}.json`;
}

/** Where the files of a run are named with `--files`. */
export type StoragePlace =
  | { readonly type: 'folder'; readonly folder: string }
  | { readonly type: 's3'; readonly settings: S3Settings };

export interface S3Settings {
  readonly bucket: string;
  /** Without slashes at its ends; empty for the whole bucket. */
  readonly prefix: string;
  readonly region: string;
  readonly endpoint: URL;
  /** Whether the bucket stands in the path of a URL, and not before the host. */
  readonly isPathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}
