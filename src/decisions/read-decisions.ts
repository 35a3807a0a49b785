import path from 'node:path';
import { fitsSchema } from '../document/check-schema.ts';
import { locateProblems, placeOf, type SourceFile } from '../document/locate.ts';
import { createProblems } from '../document/problems.ts';
import { readYaml } from '../document/read-yaml.ts';
import type { Problem } from '../model/problem.ts';
import { memberOf, type SourceRef } from '../model/source.ts';
import { isDecidedLater, NO_VERDICTS, type Verdict, type Verdicts } from '../model/verdict.ts';
import { defined } from '../util/defined.ts';
import type { Disk } from '../util/disk.ts';
import { idKey } from '../util/id-key.ts';
import { err, ok, type Result } from '../util/result.ts';
import { validateDecisions } from './generated/validate.js';

export interface Decisions {
  /** Where they are, or will be. */
  readonly file: string;
  readonly verdicts: Verdicts;
  /** The place of a verdict; undefined for what is not in this file. */
  readonly quote: (source: SourceRef) => Pick<Problem, 'position' | 'sourceLine'> | undefined;
}

export function noDecisions(file: string): Decisions {
  return { file, verdicts: NO_VERDICTS, quote: () => undefined };
}

/** Reads the file of decisions; none is no decision. `file` is as the user would name it. */
export function readDecisions(disk: Disk, file: string): Result<Decisions, readonly Problem[]> {
  if (disk.lstat(file).type === 'nothing') return ok(noDecisions(file));
  const ref = path.basename(file);
  const problems = createProblems();
  const files = new Map<string, SourceFile>();
  const value = readYaml({ path: file, shownAs: file, ref }, { disk, problems, files });
  const check = { validate: validateDecisions, source: `${ref}#`, problems };
  if (problems.all().length || !fitsSchema(value, check)) return err(locateProblems(problems.all(), files));
  const verdicts = new Map<string, Verdict>();
  for (const [index, { post, media, verdict, note, by, at }] of value.decisions.entries()) {
    const key = idKey(media);
    if (isDecidedLater(verdicts.get(key)?.at, at)) continue;
    verdicts.set(key, {
      verdict,
      ...defined({ post, note, by, at }),
      source: memberOf(`${ref}#`, 'decisions', index),
    });
  }
  return ok({ file, verdicts, quote: (source) => placeOf({ source, part: 'key' }, files) });
}
