/**
 * What other people's CI runs: action.yml, the workflow and the GitLab jobs of docs/cron-and-ci.md. They fit the published
 * schemas, and their shell parts run here, in clones of a repository with a bare origin.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type Clone, GIT_STATE, repository } from '../cli/cloned-campaign.ts';
import { untilTestEnds } from '../cli/small-campaign.ts';
import { blocksOf, ROOT } from '../docs/page-blocks.ts';
import { startBareService } from '../support/bare-service.ts';
import { startCodeHost } from './code-host.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Record<string, string>;
  readonly with?: Record<string, string>;
}

interface Action {
  readonly inputs: Record<string, { readonly default?: string }>;
  readonly runs: { readonly steps: readonly Step[] };
}

interface Job {
  readonly script: readonly string[];
  readonly steps: readonly Step[];
}

const action = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')) as Action;
const shown = blocksOf('docs/cron-and-ci.md').filter(({ language }) => language === 'yaml');
const [workflow, gitlab] = shown.map(
  ({ text }) => parse(text) as { jobs: Record<string, Job> } & Record<string, Job>,
);

/** Published by SchemaStore (Apache 2.0). */
function published(name: string) {
  const file = join(ROOT, 'test', 'fixtures', 'published', `${name}.json`);
  return new Ajv({ strict: false, allErrors: true, logger: false }).compile(
    JSON.parse(readFileSync(file, 'utf8')) as object,
  );
}

describe('for GitHub', () => {
  it('action and workflow fit the published schemas, and each other', () => {
    const isAction = published('github-action');
    expect([isAction(action), isAction.errors]).toEqual([true, null]);
    expect(isAction({ ...action, runs: { using: 'composite' } })).toBe(false);
    const isWorkflow = published('github-workflow');
    expect([isWorkflow(workflow), isWorkflow.errors]).toEqual([true, null]);
    expect(isWorkflow({ ...workflow, on: 'pull-request' })).toBe(false);
    const release: unknown = parse(readFileSync(join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8'));
    expect([isWorkflow(release), isWorkflow.errors]).toEqual([true, null]);
    const given = Object.values(workflow?.jobs ?? {}).flatMap(({ steps }) =>
      steps.flatMap((step) => (step.uses?.includes('/campaign@') ? Object.keys(step.with ?? {}) : [])),
    );
    expect(given.length).toBeGreaterThan(3);
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(given));
  });

  it('no text of others becomes a part of a script, and no key an input', () => {
    for (const { run } of action.runs.steps) expect(run ?? '').not.toContain('${{');
    expect(Object.keys(action.inputs).filter((name) => /key|secret/i.test(name))).toEqual([]);
  });
});

/** A clone in which the steps of the action run, as the runner does it. */
async function onRunner(clone: Clone, more: Readonly<Record<string, string>> = {}) {
  const temp = join(clone.folder, '..', 'temp');
  await mkdir(temp, { recursive: true });
  const output = join(temp, 'output');
  await writeFile(output, '');
  const context = { GITHUB_ACTIONS: 'true', CI: 'true', GITHUB_WORKSPACE: clone.folder, RUNNER_TEMP: temp };
  const github = { ...context, GITHUB_OUTPUT: output, GITHUB_ACTION_PATH: ROOT, ...more };
  return async (name: RegExp, inputs: Readonly<Record<string, string>>) => {
    const step = action.runs.steps.find((each) => name.test(each.name ?? ''));
    const filled = (text: string) =>
      text
        .replace(
          /\$\{\{ inputs\.([\w-]+) \}\}/g,
          (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? '',
        )
        .replace('${{ steps.run.outputs.plan }}', /plan=(.*)/.exec(readFileSync(output, 'utf8'))?.[1] ?? '');
    const env = Object.fromEntries(Object.entries(step?.env ?? {}).map(([key, text]) => [key, filled(text)]));
    return inShell(
      clone,
      ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step?.run ?? 'exit 99'],
      { ...github, ...env },
    );
  };
}

async function inShell(
  clone: Clone,
  [command = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
) {
  const options = { cwd: clone.folder, env: { ...clone.env, ...env } };
  const end = await promisify(execFile)(command, args, options).catch(
    (error: unknown) => error as { code: number },
  );
  return { code: 0, stdout: '', stderr: '', ...end };
}

async function repositoryWithService() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  return { service, origin: await repository(service) };
}

describe('the steps of the action', () => {
  it('put the plan on the pull request, once, and leave what others wrote', async () => {
    const { origin } = await repositoryWithService();
    const host = await startCodeHost();
    const stranger = {
      id: 1,
      body: '<!-- campaign-plan: small production -->\nAll is well',
      user: { login: 'mallory' },
      author: { id: 'mallory' },
    };
    const others = Array.from({ length: 120 }, (_, n) => ({ ...stranger, id: n + 2, body: 'Nice' }));
    host.comments.push(stranger, ...others);
    const clone = await origin.clone('runner');
    const event = { GITHUB_API_URL: host.url, GITHUB_REPOSITORY: 'me/mine', GITHUB_REF: 'refs/pull/7/merge' };
    const step = await onRunner(clone, event);
    const inputs = { environment: 'production', token: 'a-token', arguments: '--only\nmedia/*\n' };
    const planned = await step(/^campaign/, inputs);
    expect(planned).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringContaining('#### `hero`: 1 new post') as string,
    });
    expect(await step(/^Comment/, inputs)).toEqual({ code: 0, stdout: '', stderr: '' });
    const [posted] = host.comments.slice(121);
    expect(posted?.body).toBe(planned.stdout);
    await clone.write(
      'campaign.yaml',
      (await clone.read('campaign.yaml')).replace('Soft light', 'Hard light'),
    );
    await clone.campaign('apply');
    await step(/^campaign/, inputs);
    await step(/^Comment/, inputs);
    expect(host.comments[121]?.body).toContain('\n\nNo changes.\n');
    expect(host.writes).toEqual([
      'POST /repos/me/mine/issues/7/comments',
      'PATCH /repos/me/mine/issues/comments/1121',
    ]);
    expect(stranger.body).toContain('All is well');

    const closed = await startCodeHost({ mayWrite: false });
    const fork = await onRunner(clone, { ...event, GITHUB_API_URL: closed.url });
    await fork(/^campaign/, inputs);
    const end = await fork(/^Comment/, inputs);
    expect(end).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^::warning title=campaign::/) as string,
    });
    expect(end.stderr).toMatch(/^The plan is not on the pull request: POST \S+ was answered with 403\./);
    // A manifest that is wrong has no plan, and its annotation says why.
    await clone.write('campaign.yaml', 'version: 1\n');
    expect(await step(/^campaign/, inputs)).toMatchObject({
      code: 65,
      stderr: expect.stringContaining('::error file=campaign.yaml,line=1') as string,
    });
    expect(await step(/^Comment/, inputs)).toMatchObject({ code: 0 });
    expect(host.writes).toHaveLength(2);
  });

  it('apply, and push the state under a name of their own', async () => {
    const { service, origin } = await repositoryWithService();
    const clone = await origin.clone('runner');
    const nobody = {
      GIT_AUTHOR_NAME: '',
      GIT_AUTHOR_EMAIL: '',
      GIT_COMMITTER_NAME: '',
      GIT_COMMITTER_EMAIL: '',
    };
    const step = await onRunner(clone, nobody);
    expect(await step(/^campaign/, { command: 'apply', environment: 'production' })).toMatchObject({
      code: 0,
    });
    expect(await origin.git('log', '-1', '--format=%an <%ae> %s', 'main')).toBe(
      'github-actions[bot] <github-actions[bot]@users.noreply.github.com> campaign: 1 post made (small, production)\n',
    );
    expect(await step(/^campaign/, { command: 'status', arguments: '--fail-on\nmissing' })).toMatchObject({
      code: 0,
    });
    expect(service.created.configs).toHaveLength(1);
  });
});

describe('the GitLab jobs', () => {
  it('put the plan on the merge request, and apply on main', async () => {
    const { origin } = await repositoryWithService();
    const host = await startCodeHost({ me: 'project-bot' });
    const clone = await origin.clone('runner');
    const bin = join(clone.folder, '..', 'bin');
    await writeFile(join(bin, 'npm'), `#!/bin/sh\necho '${join(clone.folder, '..', 'lib')}'\n`);
    await chmod(join(bin, 'npm'), 0o755);
    await mkdir(join(clone.folder, '..', 'lib'));
    await symlink(ROOT, join(clone.folder, '..', 'lib', 'campaign-runner'));
    const variables = {
      CI_API_V4_URL: host.url,
      CI_PROJECT_ID: '12',
      CI_MERGE_REQUEST_IID: '7',
      CI_DEFAULT_BRANCH: 'main',
      GITLAB_TOKEN: 'a-token',
    };
    const job = (name: string, change = (line: string) => line) =>
      inShell(
        clone,
        ['sh', '-ec', (gitlab?.[name]?.script ?? ['exit 99']).map(change).join('\n')],
        variables,
      );
    for (let time = 0; time < 2; time += 1) expect(await job('plan')).toMatchObject({ code: 0, stderr: '' });
    expect(host.comments.map(({ body }) => body)).toEqual([
      await readFile(join(clone.folder, 'plan.md'), 'utf8'),
    ]);
    expect(host.writes).toEqual([
      'POST /projects/12/merge_requests/7/notes',
      'PUT /projects/12/merge_requests/7/notes/1000',
    ]);

    // GitLab's runner leaves a detached HEAD.
    await clone.git('checkout', '--quiet', '--detach');
    const toOrigin = (line: string) => line.replace(/"https:.*"/, origin.folder);
    expect(await job('apply', toOrigin)).toMatchObject({ code: 0 });
    expect(await origin.pushed(GIT_STATE)).toContain('run-finished');
    expect(await origin.history()).toEqual(['campaign: 1 post made (small, production)', 'A campaign']);
    expect(gitlab?.['apply']).toMatchObject({
      resource_group: 'campaign-production',
      rules: [{ if: '$CI_COMMIT_MESSAGE =~ /^campaign: /' }, {}],
    });
  });
});
