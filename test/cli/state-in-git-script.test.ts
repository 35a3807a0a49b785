/** The scripts of docs/cron-and-ci.md and docs/state-in-git.md, word by word, in good nights and in bad ones. */
import { chmod, mkdir, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { blocksOf, ROOT } from '../docs/page-blocks.ts';
import { startBareService } from '../support/bare-service.ts';
import { startHeldService } from '../support/held-service.ts';
import { type Clone, GIT_STATE, manifestFor, repository } from './cloned-campaign.ts';
import { CONFIG, creates, finishMedium, makeObjects } from './held-answers.ts';
import { untilTestEnds } from './small-campaign.ts';

const MARK = /^(?:<{7}|={7}|>{7})/m;

async function bareRepository() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  return { service, origin: await repository(service) };
}

/** A clone whose script is under way: the request for its post has arrived. */
async function underWay(name: string) {
  const service = await untilTestEnds(startHeldService());
  const origin = await repository(service);
  const clone = await origin.clone(name);
  const run = clone.apply();
  await makeObjects(service);
  return { service, origin, clone, run, request: await service.next('POST /media-config/') };
}

describe('ci/apply-and-commit.sh', () => {
  it('publishes a night with work, and makes nothing of one without', async () => {
    const { service, origin } = await bareRepository();
    const cron = await origin.clone('cron');
    expect(await cron.apply().end).toMatchObject({ code: 0 });
    expect(await origin.history()).toEqual(['campaign: 1 post made (small, production)', 'A campaign']);
    expect(await cron.apply().end).toEqual({ code: 0, output: '' });
    expect(await origin.history()).toHaveLength(2);
    const reader = await origin.clone('reader');
    expect((await reader.campaign('plan')).stdout).toMatch(/\nNo changes\.\n$/);
    expect(await reader.git('ls-files')).toBe(`.gitignore\ncampaign.yaml\n${GIT_STATE}\ntote.png\n`);
    expect(service.created.configs).toHaveLength(1);
  });

  it('commits to the repository in which the state lies, whatever a hook of git says that calls it', async () => {
    const { origin } = await bareRepository();
    const cron = await origin.clone('cron');
    await cron.git('init', '--quiet', '../other');
    const hook = {
      GIT_DIR: join(cron.folder, '..', 'other', '.git'),
      GIT_INDEX_FILE: 'other-index',
      GIT_ICASE_PATHSPECS: '1',
    };
    expect(await cron.apply(hook).end).toMatchObject({ code: 0 });
    expect(await origin.history()).toContain('campaign: 1 post made (small, production)');
    expect(await cron.git('status', '--short')).toBe('');
  });

  it('applies nothing where git would change or refuse the bytes of a state', async () => {
    const { service, origin } = await bareRepository();
    const settings: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
      [
        '',
        [
          ['core.autocrlf', 'true'],
          ['core.safecrlf', 'true'],
        ],
      ],
      ['*.jsonl working-tree-encoding=UTF-16', []],
      ['*.jsonl filter=short', [['filter.short.clean', 'head -n 9']]],
      ['*.jsonl merge=union', []],
    ];
    for (const [index, [attributes, config]] of settings.entries()) {
      const cron = await origin.clone(`cron${index}`);
      if (attributes) await cron.write('.gitattributes', `${attributes}\n`);
      for (const setting of config) await cron.git('config', ...setting);
      const { code, output } = await cron.apply().end;
      expect([code, output]).toEqual([
        1,
        expect.stringMatching(/git does not keep|git merges .* by a driver of its own/),
      ]);
    }
    expect(service.created.configs).toHaveLength(0);
  });

  it('takes in what others pushed, before and while it applies', async () => {
    const { service, origin, run, request } = await underWay('cron');
    const author = await origin.clone('somebody');
    await author.write('notes.txt', 'meanwhile');
    await author.publish('Notes');
    request.respond(201, CONFIG);
    await finishMedium(service);
    expect(await run.end).toMatchObject({ code: 0 });
    expect(await origin.history()).toContain('campaign: 1 post made (small, production)');
    expect(await origin.pushed('notes.txt')).toBe('meanwhile');
  });

  it('applies nothing where the pull fails', async () => {
    const { service, origin } = await bareRepository();
    const cron = await origin.clone('cron');
    await cron.git('remote', 'set-url', 'origin', '../gone');
    const { code, output } = await cron.apply().end;
    expect(code).not.toBe(0);
    expect(output).toContain("'../gone' does not appear to be a git repository");
    expect(service.requests).toEqual([]);
    expect(await readdir(cron.folder)).not.toContain('.campaign');
  });

  it('is what docs/cron-and-ci.md shows', async () => {
    const [shown] = blocksOf('docs/cron-and-ci.md').filter(({ note }) => note?.includes('script.test.ts'));
    expect(shown?.text).toBe(await readFile(join(ROOT, 'ci', 'apply-and-commit.sh'), 'utf8'));
  });

  it('applies nothing where git could not commit, or push, what came of it', async () => {
    const { service, origin } = await bareRepository();
    let clones = 0;
    const refused = async (prepare: (clone: Clone) => Promise<unknown>, why: string, env = {}) => {
      const clone = await origin.clone(`clone-${clones++}`);
      await prepare(clone);
      const { code, output } = await clone.apply(env).end;
      expect([code === 0, output]).toEqual([false, expect.stringContaining(why)]);
      // What was committed to see whether that is possible is gone.
      expect(await clone.git('log', '--format=%s')).toBe('A campaign\n');
    };
    const hook = async (clone: Clone, name: string) => {
      await clone.write(`.git/hooks/${name}`, `#!/bin/sh\necho no ${name} today\nexit 1\n`);
      await chmod(join(clone.folder, '.git', 'hooks', name), 0o755);
    };
    await refused(async () => undefined, 'empty ident name', { GIT_COMMITTER_NAME: '' });
    await refused((clone) => clone.git('checkout', '--quiet', '--detach'), 'not currently on a branch');
    await refused((clone) => clone.git('checkout', '--quiet', '-b', 'topic'), 'no tracking information');
    const night = async (clone: Clone, ...from: string[]) => {
      await clone.git('switch', '--quiet', '--create', 'night', '--track', ...from);
      await clone.git('config', 'push.default', 'current');
    };
    // What is pushed there nobody pulls: another branch, a fork, another URL of the same remote, and a branch of this clone.
    const elsewhere = 'git pulls refs/heads/main, and pushes to another branch or another URL';
    const fork = async (clone: Clone, ...settings: (readonly [string, string])[]) => {
      await clone.git('init', '--quiet', '--bare', '../fork.git');
      await clone.git('push', '--quiet', '../fork.git', 'main');
      for (const setting of settings) await clone.git('config', ...setting);
    };
    await refused((clone) => night(clone, 'origin/main'), elsewhere);
    await refused(async (clone) => {
      await clone.git('remote', 'add', 'fork', '../fork.git');
      await fork(clone, ['remote.pushDefault', 'fork'], ['push.default', 'current']);
    }, elsewhere);
    await refused((clone) => fork(clone, ['remote.origin.pushurl', '../fork.git']), elsewhere);
    // Remotes without branches of their own in the clone, so that git itself cannot compare them.
    await refused(async (clone) => {
      await night(clone, 'origin/main');
      await clone.git('config', '--unset-all', 'remote.origin.fetch');
    }, elsewhere);
    await refused(
      (clone) => fork(clone, ['branch.main.remote', origin.folder], ['remote.pushDefault', '../fork.git']),
      'and pushes to another branch',
    );
    await refused((clone) => night(clone, 'main'), elsewhere);
    await refused((clone) => hook(clone, 'pre-commit'), 'no pre-commit today');
    await refused((clone) => hook(clone, 'pre-push'), 'no pre-push today');
    await refused((clone) => clone.write('.git/index.lock', ''), "index.lock': File exists");
    const unsigned = ['-c', 'commit.gpgsign=true', '-c', 'gpg.program=false'].filter((word) => word !== '-c');
    await refused(async (clone) => {
      for (const setting of unsigned) await clone.git('config', ...setting.split('='));
    }, 'gpg failed to sign');
    // As a deploy key that may only read.
    await refused(async (clone) => {
      await clone.write(
        '../ssh',
        "#!/bin/sh\ncase $* in *receive-pack*) echo 'ERROR: read-only key' >&2; exit 1 ;; esac\n",
      );
      await chmod(join(clone.folder, '..', 'ssh'), 0o755);
      await clone.git('remote', 'set-url', '--push', 'origin', 'ssh://git@example.invalid/campaigns');
      await clone.git('config', 'core.sshCommand', join(clone.folder, '..', 'ssh'));
    }, 'read-only key');
    expect(service.requests).toEqual([]);
    expect(await origin.history()).toEqual(['A campaign']);
  });

  it('pushes to a branch of its own where the branch is protected, which shows only then', async () => {
    const { service, origin } = await bareRepository();
    await origin.write(
      'hooks/update',
      '#!/bin/sh\ncase $1 in refs/heads/main) echo protected; exit 1 ;; esac\n',
    );
    await chmod(join(origin.folder, 'hooks', 'update'), 0o755);
    const cron = await origin.clone('cron');
    const { code, output } = await cron.apply().end;
    expect([code, output]).toEqual([1, expect.stringContaining('protected')]);
    const branch = (await origin.git('branch', '--list', 'state-*')).trim();
    expect(await origin.pushed(GIT_STATE, branch)).toBe(await cron.read(GIT_STATE));

    // Until somebody has merged it, a clone without it would pay again.
    const seen = service.requests.length;
    const next = await origin.clone('next');
    const refused = await next.apply().end;
    expect([refused.code, refused.output]).toEqual([
      1,
      expect.stringContaining(`on the branch ${branch} of`),
    ]);
    // Also where a reviewer has brought it up to date, after which it ends with another commit. A date is no commit.
    const reviewer = await origin.clone('reviewer');
    await reviewer.git('push', '--quiet', 'origin', 'HEAD:refs/heads/state-20261127');
    await reviewer.git('switch', '--quiet', branch);
    await reviewer.git('commit', '--quiet', '--allow-empty', '--message', 'Looked at');
    await reviewer.git('push', '--quiet');
    expect(await next.apply().end).toMatchObject({ code: 1 });
    expect(service.requests).toHaveLength(seen);
    await origin.git('update-ref', 'refs/heads/main', branch);
    expect(await next.apply().end).toEqual({ code: 0, output: '' });
  });

  it('pushes to a branch of its own, as the run wrote it, what a hook changes or refuses', async () => {
    // One formats and adds what it has formatted, as with lint-staged; one refuses then, as with pre-commit; one takes back.
    const hooks = [
      ['pre-commit', 'git add *.jsonl'],
      ['pre-commit', 'exit 1'],
      ['post-commit', 'git reset --quiet --hard HEAD~1'],
    ] as const;
    for (const [hook, end] of hooks) {
      const { service, origin } = await bareRepository();
      const cron = await origin.clone('cron');
      const formats = `ls *.jsonl > .git/found 2>&1 || exit 0\nfor f in *.jsonl; do sed 's/{/{ /' "$f" > .git/new; cp .git/new "$f"; done`;
      await cron.write(`.git/hooks/${hook}`, `#!/bin/sh\n${formats}\n${end}\n`);
      await chmod(join(cron.folder, '.git', 'hooks', hook), 0o755);
      const { code, output } = await cron.apply().end;
      const branch = (await origin.git('branch', '--list', 'state-*')).trim();
      expect([code, output]).toEqual([1, expect.stringContaining(`is on the branch ${branch} of origin`)]);
      const state = await cron.read(GIT_STATE);
      expect(await origin.pushed(GIT_STATE, branch)).toBe(state);
      expect(state).not.toContain('{ ');
      expect((await cron.campaign('plan')).stdout).toMatch(/\nNo changes\.\n$/);
      expect(service.created.configs).toHaveLength(1);
    }
  });

  it('commits the files of the state by path wherever they are, and nothing else that is staged', async () => {
    const { service, origin } = await bareRepository();
    const author = await origin.clone('somebody');
    for (const folder of ['jobs', '-a b']) await mkdir(join(author.folder, folder));
    for (const folder of ['jobs', '-a b']) await author.write(`${folder}/readme.txt`, folder);
    await author.write('.gitignore', 'out/\n*.jsonl\n');
    await author.publish('Jobs');
    const cron = await origin.clone('cron');
    await cron.write('mine.txt', 'not ready');
    await cron.git('add', 'mine.txt');
    const place = join('-a b', '*spring.jsonl');
    const args = ['../campaign.yaml', '--state', `../${place}`];
    expect(await cron.applyIn('jobs', ...args).end).toMatchObject({ code: 0 });
    expect(await origin.pushed(place)).toBe(await cron.read(place));
    expect(await cron.git('status', '--short')).toBe('A  mine.txt\n');

    // A mark that hides changes from git does not hide these.
    await cron.git('--literal-pathspecs', 'update-index', '--assume-unchanged', '--', place);
    await cron.write('campaign.yaml', (await cron.read('campaign.yaml')).replace('4:5', '1:1'));
    expect(await cron.applyIn('jobs', ...args, '--yes').end).toMatchObject({ code: 0 });
    expect(await origin.pushed(place)).toBe(await cron.read(place));
    expect(await cron.git('status', '--short')).toBe(' M campaign.yaml\nA  mine.txt\n');
    expect(service.created.configs).toHaveLength(2);
  });

  it('publishes a state in a submodule with the commit that the superproject has of it', async () => {
    const { service, origin } = await bareRepository();
    const { folder } = origin;
    const outer = `${folder}-outer`;
    await origin.git('init', '--quiet', '--bare', '--initial-branch=main', outer);
    const allowed = ['-c', 'protocol.file.allow=always'];
    const author = await origin.clone('somebody');
    const run = async (at: string, ...args: readonly string[]) => author.git('-C', at, ...allowed, ...args);
    await author.git('clone', '--quiet', outer, '../super');
    await run('../super', 'submodule', '--quiet', 'add', folder, 'camp');
    await run('../super', 'commit', '--quiet', '--message', 'A submodule');
    await run('../super', 'push', '--quiet', '--set-upstream', 'origin', 'main');
    const inSuper = (name: string) => author.applyIn(`../${name}`, 'camp/campaign.yaml').end;
    expect(await inSuper('super')).toMatchObject({ code: 0 });
    expect(await run('../super', 'status', '--short', '--ignore-submodules=untracked')).toBe('');

    await author.git(...allowed, 'clone', '--quiet', '--recurse-submodules', outer, '../fresh');
    expect(await author.read(`../fresh/camp/${GIT_STATE}`)).toBe(await origin.pushed(GIT_STATE));
    // git leaves the submodule of a clone on no branch.
    const seen = service.requests.length;
    const { code, output } = await inSuper('fresh');
    expect([code, output]).toEqual([1, expect.stringContaining('not currently on a branch')]);
    expect(service.requests).toHaveLength(seen);
    await run('../fresh/camp', 'checkout', '--quiet', 'main');
    expect(await inSuper('fresh')).toEqual({ code: 0, output: '' });
  });

  it('applies nothing where the state is in no working copy, and tells whom an apply would tell', async () => {
    const { service, origin } = await bareRepository();
    const cron = await origin.clone('cron');
    const told = ['--heartbeat', 'beat.json', '--notify', 'cat > told.json'];
    const { code, output } = await cron.apply({}, '--state', '../away.jsonl', ...told).end;
    expect([code, output]).toEqual([1, expect.stringContaining('away.jsonl is in no git working copy')]);
    expect(JSON.parse(await cron.read('beat.json'))).toMatchObject({ exit_code: 1, outcome: 'failed' });
    expect(await cron.read('told.json')).toContain('away.jsonl is in no git working copy');
    expect(service.requests).toEqual([]);
  });

  it('keeps what one of several manifests made where another is wrong, and says so in its message', async () => {
    const { service, origin } = await bareRepository();
    const author = await origin.clone('somebody');
    await author.write('wrong.yaml', 'version: 1\n');
    await author.publish('Another');
    const cron = await origin.clone('cron');
    expect(
      await cron.apply({}, 'campaign.yaml', 'wrong.yaml', '--notify', 'cat > told.json').end,
    ).toMatchObject({ code: 65 });
    expect((await origin.history())[0]).toBe('campaign: invalid, 1 post made (2 manifests)');
    expect(await origin.pushed(GIT_STATE)).toContain('run-finished');
    expect(JSON.parse(await cron.read('told.json'))).toMatchObject({ posts_made: 1 });
    expect(service.created.configs).toHaveLength(1);
  });

  it('publishes nothing where nothing could be recorded, and keeps the code', async () => {
    const { service, origin } = await bareRepository();
    const cron = await origin.clone('cron');
    await cron.write('campaign.yaml', 'version: 1\n');
    expect(await cron.apply().end).toMatchObject({ code: 65 });
    await cron.write('campaign.yaml', manifestFor(service));
    await cron.write(GIT_STATE, '<<<<<<< HEAD\n');
    expect(await cron.apply().end).toMatchObject({ code: 76 });
    expect(await origin.history()).toEqual(['A campaign']);
    expect(service.requests).toEqual([]);
  });

  it('publishes what was recorded by a run that is stopped', async () => {
    const { service, origin, run, request } = await underWay('cron');
    process.kill(-(run.process.pid ?? 0), 'SIGINT');
    request.respond(201, CONFIG);
    expect(await run.end).toMatchObject({ code: 130 });
    expect(await origin.history()).toEqual([
      'campaign: cancelled, 3 created, 1 pending (small, production)',
      'A campaign',
    ]);
    const next = (await origin.clone('next')).apply();
    await finishMedium(service);
    expect(await next.end).toMatchObject({ code: 0 });
    expect(creates(service)).toHaveLength(3);
  });

  it('publishes what could not be written into the state, and the next machine takes it in', async () => {
    const { service, origin, clone, run, request } = await underWay('ci');
    const state = join(clone.folder, GIT_STATE);
    await rename(state, `${state}.moved`);
    await clone.write(GIT_STATE, await clone.read(`${GIT_STATE}.moved`));
    request.respond(201, CONFIG);
    expect(await run.end).toMatchObject({ code: 74 });
    await clone.remove();

    const next = await origin.clone('next');
    // The log that the run wrote goes along, in case that the one in its place is not the same.
    expect(await next.git('ls-files', '.campaign')).toMatch(
      /^\.campaign\/errored-\S+\.jsonl\n\.campaign\/\S+\.replaced-\S+\n$/,
    );
    const script = next.apply();
    await finishMedium(service);
    expect(await script.end).toMatchObject({ code: 0 });
    expect(creates(service)).toHaveLength(3);
    expect(await origin.history()).toEqual([
      'campaign: 1 post made (small, production)',
      expect.stringMatching(/^campaign: error, 3 created, 1 pending/),
      'A campaign',
    ]);
    const last = await origin.clone('last');
    expect(await last.git('ls-files', '.campaign')).toBe('');
    expect(await last.campaign('plan')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('two copies that went on from one state', () => {
  it('stay apart where a setting of git would take one of them without a word', async () => {
    const settings = [
      ['branch.main.mergeOptions', '-X ours'],
      ['branch.main.mergeOptions', '-X theirs'],
      ['pull.twohead', 'ours'],
      ['merge.default', 'union'],
    ] as const;
    for (const setting of settings) {
      const { service, origin, clone: second, run, request } = await underWay('second');
      const first = await origin.clone('first');
      await first.write(GIT_STATE, await second.read(GIT_STATE));
      await first.campaign('resolve', 'campaign.yaml', 'media-config/hero@1', '--not-created');
      await first.publish('First');
      await second.git('config', ...setting);
      request.respond(201, CONFIG);
      await finishMedium(service);
      const { code, output } = await run.end;
      const branch = (await origin.git('branch', '--list', 'state-*')).trim();
      expect([setting, code, output]).toEqual([
        setting,
        1,
        expect.stringContaining(`on the branch ${branch} of origin`),
      ]);
      expect(output).toMatch(/lets it drop one of both .*: the merge was taken back/);
      expect(await origin.pushed(GIT_STATE)).toBe(await first.read(GIT_STATE));
      expect(await origin.pushed(GIT_STATE, branch)).toBe(await second.read(GIT_STATE));
      expect(await second.git('status', '--short')).toBe('');
    }
  });

  it('stay apart where git would stash what one of them has and was not committed', async () => {
    const { origin } = await bareRepository();
    const first = await origin.clone('first');
    await first.write(GIT_STATE, 'both\n');
    await first.publish('Both');
    const second = await origin.clone('second');
    await second.write(GIT_STATE, 'both\nsecond\n');
    await first.write(GIT_STATE, 'both\nfirst\n');
    await first.publish('First');
    await second.write('.git/info/attributes', '*.jsonl binary\n');
    await second.git('config', 'merge.autoStash', 'true');
    const { code, output } = await second.apply().end;
    expect([code, output]).toEqual([1, expect.stringContaining('git cannot pull in ')]);
    expect(await second.read(GIT_STATE)).toBe('both\nsecond\n');
  });

  it('are never merged: the second one goes to a branch of its own, until somebody decides', async () => {
    const { service, origin, clone: second, run, request } = await underWay('second');
    const first = await origin.clone('first');
    // It has the same beginning, and goes on otherwise.
    await first.write(GIT_STATE, await second.read(GIT_STATE));
    const resolve = ['resolve', 'campaign.yaml', 'media-config/hero@1', '--not-created'];
    expect(await first.campaign(...resolve)).toMatchObject({ code: 0, stderr: '' });
    await first.publish('First');
    const ofFirst = await first.read(GIT_STATE);

    request.respond(201, CONFIG);
    await finishMedium(service);
    expect(await run.end).toMatchObject({ code: 1 });
    const ofSecond = await second.read(GIT_STATE);
    expect(ofSecond).not.toMatch(MARK);
    expect(await second.git('status', '--short')).toBe('');
    expect(await origin.pushed(GIT_STATE)).toBe(ofFirst);
    const branch = (await origin.git('branch', '--list', 'state-*')).trim();
    expect(await origin.pushed(GIT_STATE, branch)).toBe(ofSecond);

    // The next night stops before it applies anything.
    const seen = service.seen.length;
    const { code, output } = await second.apply({}, '--notify', 'cat > ../told.json').end;
    expect(code).toBe(1);
    expect(output).toMatch(/changed in \S+: \S+ - the merge was taken back\. Two states cannot become one/);
    expect(output).not.toMatch(/fix conflicts|CONFLICT/);
    expect(await second.read('../told.json')).toContain('Two states cannot become one');
    expect(await second.read(GIT_STATE)).toBe(ofSecond);
    expect(service.seen).toHaveLength(seen);

    // Somebody decides for what was pushed, and it goes on from there.
    const decided = await second.decide();
    expect(decided.code).toBe(0);
    expect(decided.output).toContain(`${GIT_STATE} is now the state of small, production`);
    expect((await origin.pushed(GIT_STATE)).startsWith(ofFirst)).toBe(true);
    for (const clone of [second, first]) {
      await clone.git('pull', '--quiet');
      const plan = await clone.campaign('plan');
      expect([plan.code, plan.stderr]).toEqual([0, '']);
      expect(plan.stdout).toContain('1 new post.');
    }
  });
});
