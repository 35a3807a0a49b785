/** `--files`: where photos and results are kept, as a URL. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../model/exit.ts';
import type { FatalProblem } from '../model/problem.ts';
import { attempt } from '../util/attempt.ts';
import { inertText } from '../util/inert-text.ts';
import { err, ok, type Result } from '../util/result.ts';
import type { StoragePlace } from './object-store.ts';
import { readS3Settings } from './s3-settings.ts';

export function readStorageUrl(
  url: string,
  env: Readonly<Record<string, string | undefined>>,
): Result<StoragePlace, FatalProblem> {
  if (/^file:/i.test(url)) return folderNamed(url);
  const [, bucket = '', prefix = ''] = /^s3:\/\/([^/]*)\/*(.*)$/is.exec(url) ?? [];
  if (!/^s3:/i.test(url)) return badUrl('it names neither an S3 store nor a folder');
  // A key before the bucket's name, or a signature after it, would be shown with it, so nothing of the URL is.
  if (/[@:]/.test(bucket)) return badUrl('credentials have no place in it, they come from the environment');
  if (/[?#\p{Cc}]/u.test(url))
    return badUrl('a prefix has no `?` and `#`; what is to be set comes from the environment');
  if (!/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(bucket)) return badUrl('it names no bucket', url);
  const parts = prefix.split('/').filter(Boolean);
  if (parts.some((part) => part === '.' || part === '..')) return badUrl('a prefix has no `.` and `..`', url);
  const settings = readS3Settings({ bucket, prefix: parts.join('/') }, env);
  return settings.ok ? ok({ type: 's3', settings: settings.value }) : settings;
}

function folderNamed(url: string): Result<StoragePlace, FatalProblem> {
  // What is not of a path would be left out, and the folder be another one.
  const isPath = /^file:\/\/\/[^?#\\\p{Cc}]*$/iu.test(url);
  const folder = isPath ? attempt(() => fileURLToPath(url)) : undefined;
  return folder === undefined
    ? badUrl(
        'a folder is named by file:// and its path from the root, in which %, ?, # and \\ are written %25, %3F, %23 and %5C',
        url,
      )
    : ok({ type: 'folder', folder: path.resolve(folder) });
}

function badUrl(why: string, url?: string): Result<never, FatalProblem> {
  const shown = url === undefined ? 'The URL' : inertText(url, 200);
  return err({
    code: 'bad-files-url',
    exit: EXIT.usage,
    summary: 'No storage for the files',
    detail:
      `${shown} cannot be used: ${why}. --files (or CAMPAIGN_FILES) has the form s3://BUCKET/PREFIX or file:///FOLDER; without ` +
      "it, photos and results are in the manifest's folder.",
  });
}
