import { existsSync } from 'node:fs';

/** The file beside it whose name ends in `.yml` for `.yaml`, or the other way round; undefined where there is none. */
export function otherSpelling(file: string): string | undefined {
  const other = file.endsWith('.yml') ? file.replace(/yml$/, 'yaml') : file.replace(/\.yaml$/, '.yml');
  return other !== file && existsSync(other) ? other : undefined;
}
