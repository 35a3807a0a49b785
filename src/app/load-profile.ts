import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { type Profile, toProfile } from '../emulator/profiles/read-profile.ts';
import { ruleMistake } from '../emulator/fault-rules/check-rule.ts';
import { validateProfile } from '../emulator/generated/validate.js';
import { fitsSchema } from '../document/check-schema.ts';
import { didYouMean } from '../util/did-you-mean.ts';
import { locateProblems } from '../document/locate.ts';
import { createProblems } from '../document/problems.ts';
import { type Reading, readYaml } from '../document/read-yaml.ts';
import { EXIT } from '../model/exit.ts';
import { realDisk } from '../util/disk.ts';
import { err, ok, type Result } from '../util/result.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { packageFile } from './package-info.ts';

export async function loadProfile(nameOrFile: string): Promise<Result<Profile, Refusal>> {
  if (/\.ya?ml$/.test(nameOrFile)) return readProfile(nameOrFile);
  const names = readdirSync(packageFile('profiles'))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => basename(name, '.yaml'))
    .sort();
  if (names.includes(nameOrFile)) return readProfile(packageFile('profiles', `${nameOrFile}.yaml`));
  const detail =
    `There is no profile "${nameOrFile}".${didYouMean(nameOrFile, names)} Known profiles: ${names.join(', ')}. ` +
    'A profile of your own is a file: name it with its ending, .yaml.';
  return err(refusal(EXIT.usage, { code: 'unknown-profile', summary: 'Unknown profile', detail }));
}

async function readProfile(path: string): Promise<Result<Profile, Refusal>> {
  const problems = createProblems();
  const files: Reading['files'] = new Map();
  const value = readYaml({ path, shownAs: path, ref: '' }, { disk: realDisk, problems, files });
  const check = { validate: validateProfile, source: '#', problems };
  if (problems.all().length === 0 && fitsSchema(value, check)) {
    const profile = toProfile(value);
    for (const [index, order] of profile.orders.entries()) {
      const detail = ruleMistake(order);
      if (detail !== undefined)
        problems.add({ code: 'invalid-value', detail, source: `#/orders/${index}/on` });
    }
    if (problems.all().length === 0) return ok(profile);
  }
  return err({ exit: EXIT.invalidManifest, problems: locateProblems(problems.all(), files) });
}
