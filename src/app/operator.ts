import os from 'node:os';
import type { Operator } from '../model/state-event.ts';
import type { ProcessVariables } from './runtime.ts';

/** CI systems by the variable that each of them sets. */
const CI_SYSTEMS: readonly (readonly [variable: string, name: string])[] = [
  ['GITHUB_ACTIONS', 'github-actions'],
  ['GITLAB_CI', 'gitlab-ci'],
  ['JENKINS_URL', 'jenkins'],
  ['BUILDKITE', 'buildkite'],
  ['CIRCLECI', 'circleci'],
  ['TF_BUILD', 'azure-pipelines'],
  ['CI', 'ci'],
];

/** Who runs this process, for the history of a state. */
export function operatorOf(env: ProcessVariables): Operator {
  const [, ci] = CI_SYSTEMS.find(([variable]) => env[variable]) ?? [];
  return { by: `${userName()}@${os.hostname()}`, ...(ci === undefined ? {} : { ci }) };
}

/** A container may run under a number without a name. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return `uid-${process.getuid?.() ?? '?'}`;
  }
}
