import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { CLI } from '../support/run-cli.ts';
import { API_KEY } from './small-campaign.ts';
import { committedState, type GitState, gitFolder, STATE_FILE } from './git-state.ts';

/** What becomes of a state behind git's back, as a fresh clone finds it: without `.campaign/`. */
const DAMAGES: readonly (readonly [string, (at: GitState) => Promise<unknown>, string])[] = [
  ['absent', (at) => rm(join(at.folder, STATE_FILE)), 'The state is gone [state-vanished]'],
  ['empty', (at) => at.write(STATE_FILE, ''), 'The state is empty [state-vanished]'],
  [
    'cut within its first line',
    async (at) => at.write(STATE_FILE, (await at.read(STATE_FILE)).slice(0, 40)),
    'The state is empty [state-vanished]',
  ],
  [
    'cut in half',
    async (at) => {
      const lines = (await at.read(STATE_FILE)).split('\n');
      await at.write(STATE_FILE, `${lines.slice(0, lines.length / 2).join('\n')}\n`);
    },
    'The state does not go on from the committed one [state-diverged]',
  ],
  [
    'an older commit’s',
    (at) => at.git('checkout', 'HEAD~1', '--', STATE_FILE),
    'The state does not go on from the committed one [state-diverged]',
  ],
  [
    'of another lineage',
    async (at) => {
      await rm(join(at.folder, STATE_FILE));
      await at.campaign(['state', 'new', 'm.yaml', '--yes']);
      await at.forget();
    },
    'The state does not go on from the committed one [state-diverged]',
  ],
];

describe('a state that is not the committed one', () => {
  it('is refused by whatever writes, without a memory of it, and nothing is sent or changed', async () => {
    const whole = await committedState();
    const before = whole.service.created.configs.length;
    for (const [what, damage, summary] of DAMAGES) {
      const at = await whole.copy();
      await at.forget();
      await damage(at);
      const found = await at.read(STATE_FILE).catch(() => undefined);
      const refused = await at.campaign(['apply', 'm.yaml']);
      expect([what, refused.code, refused.stdout, refused.stderr.split('\n')[0]]).toEqual([
        what,
        76,
        '',
        `error: ${summary}`,
      ]);
      expect(await at.read(STATE_FILE).catch(() => undefined)).toBe(found);
      const isRead = summary.includes('diverged');
      const planned = await at.campaign(['plan', 'm.yaml']);
      expect([what, planned.code]).toEqual([what, isRead ? 0 : 76]);
      if (isRead) {
        expect(planned.stderr.split('\n')[0]).toBe(
          '  ! The state does not go on from the committed one: what it lacks is taken for new, and commands that write ' +
            `refuse it (76) until the other copy is back or \`campaign state use m.yaml ${join(at.folder, STATE_FILE)}\` decides that this one counts.`,
        );
      }
      // The command that it names settles it until the next commit, and then for good.
      const settle = isRead ? ['use', 'm.yaml', STATE_FILE] : ['new', 'm.yaml'];
      expect((await at.campaign(['state', ...settle, '--yes'])).code).toBe(0);
      expect((await at.campaign(['plan', 'm.yaml'])).stderr).not.toContain('committed');
      await at.commit();
      await at.forget();
      expect((await at.campaign(['plan', 'm.yaml'])).stderr).not.toContain('committed');
    }
    expect(whole.service.created.configs).toHaveLength(before);
  });

  it('is taken where it goes on from there, whatever its lines end with in git', async () => {
    const at = await committedState();
    // A commit whose blob has the line ends of another system.
    const text = await at.read(STATE_FILE);
    await at.write(STATE_FILE, text.replaceAll('\n', '\r\n'));
    await at.commit();
    await at.write(STATE_FILE, text);
    await at.forget();
    expect(await at.campaign(['plan', 'm.yaml'])).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('git', () => {
  it('that cannot be asked stops whoever writes, where this machine does not remember the state (scenario 7)', async () => {
    const whole = await committedState();
    const before = whole.service.created.configs.length;
    for (const [what, damage] of DAMAGES) {
      const at = await whole.copy();
      await at.forget();
      await damage(at);
      await at.forget();
      const isThere = (await at.read(STATE_FILE).catch(() => '')).includes('\n');
      const said = what.startsWith('absent')
        ? 'Whether there is a state cannot be seen [state-unseen]'
        : isThere
          ? 'Whether the state is the newest copy cannot be seen [state-unseen]'
          : 'The state is empty [state-vanished]';
      const refused = await at.campaign(['apply', 'm.yaml'], WITHOUT_GIT);
      expect([what, refused.code, refused.stderr.split('\n')[0]]).toEqual([what, 76, `error: ${said}`]);
      if (!said.includes('unseen')) continue;
      const planned = await at.campaign(['plan', 'm.yaml'], WITHOUT_GIT);
      expect([what, planned.code]).toEqual([what, 0]);
      expect(planned.stderr).toContain('cannot be seen, and commands that write refuse it (76)');
    }
    expect(whole.service.created.configs).toHaveLength(before);
  });

  it('that cannot be asked stops nobody who has decided, nor where the state is remembered', async () => {
    const at = await committedState();
    const known = await at.campaign(['apply', 'm.yaml'], WITHOUT_GIT);
    expect([known.code, known.stderr]).toEqual([0, warning('git is not installed')]);
    await at.forget();
    const refused = await at.campaign(['apply', 'm.yaml'], WITHOUT_GIT);
    expect(refused.stderr).toContain(
      'Install git (for a container: in its image) or name its folder in PATH, then run again. If this copy is',
    );
    expect(refused.stderr).toContain(
      `\`campaign state use m.yaml ${join(at.folder, STATE_FILE)}\` says so, and is remembered here.`,
    );
    expect((await at.campaign(['state', 'use', 'm.yaml', STATE_FILE, '--yes'], WITHOUT_GIT)).code).toBe(0);
    expect((await at.campaign(['apply', 'm.yaml'], WITHOUT_GIT)).code).toBe(0);
    // Git goes on from what was decided.
    expect(await at.campaign(['plan', 'm.yaml'])).toMatchObject({ code: 0, stderr: '' });

    const first = await gitFolder();
    const unseen = await first.campaign(['apply', 'm.yaml'], WITHOUT_GIT);
    expect(unseen.code).toBe(76);
    expect(unseen.stderr).toContain(
      'If this campaign was never applied, `campaign state new m.yaml` begins its state.',
    );
    expect(first.service.created.products).toHaveLength(0);
    // A rehearsal costs nothing.
    expect((await first.campaign(['apply', 'm.yaml', '--env', 'emulator'], WITHOUT_GIT)).code).toBe(0);
    expect((await first.campaign(['state', 'new', 'm.yaml', '--yes'], WITHOUT_GIT)).code).toBe(0);
    expect((await first.campaign(['apply', 'm.yaml'], WITHOUT_GIT)).code).toBe(0);
    expect(first.service.created.configs).toHaveLength(1);
  });

  it('ends with a command that is ended, with all that stands for it', async () => {
    const at = await gitFolder();
    const bin = join(at.folder, 'bin');
    await mkdir(bin);
    await promisify(execFile)('mkfifo', [join(bin, 'alive')]);
    // The child of this wrapper holds the pipe as long as it lives.
    const script = `#!/bin/sh\nPATH=/usr/bin:/bin\nexec 3> '${bin}/alive'\nsleep 1000 &\nwait\n`;
    await writeFile(join(bin, 'git'), script, { mode: 0o755 });
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const env = { PATH: bin, HOME: at.folder, VISUALS_KEY: API_KEY, CAMPAIGN_ENV: 'production' };
      const child = spawn(process.execPath, [CLI, 'plan', 'm.yaml'], {
        cwd: at.folder,
        env,
        stdio: 'ignore',
      });
      const ended = once(child, 'exit');
      const alive = await open(join(bin, 'alive'));
      child.kill(signal);
      expect(await ended).toEqual([null, signal]);
      expect(await alive.readFile()).toHaveLength(0);
      await alive.close();
    }
  });

  it('is said once where HEAD has the state without its content, and stops nobody', async () => {
    const at = await committedState();
    await at.forget();
    // What git LFS would have committed.
    const text = await at.read(STATE_FILE);
    await at.write(STATE_FILE, 'version https://git-lfs.github.com/spec/v1\noid sha256:12\nsize 12\n');
    await at.commit();
    await at.write(STATE_FILE, text);
    const pointer = await at.campaign(['plan', 'm.yaml']);
    expect([pointer.code, pointer.stderr]).toEqual([
      0,
      warning('what is committed is no state that this version can read'),
    ]);
    // A clone without its blobs: nothing is fetched for this.
    await at.git('config', 'remote.origin.promisor', 'true');
    await at.git('rm', '--quiet', '--cached', STATE_FILE);
    const missing = '0123456789012345678901234567890123456789';
    await at.git('update-index', '--add', '--cacheinfo', `100644,${missing},${STATE_FILE}`);
    const tree = (await at.git('write-tree', '--missing-ok')).trim();
    const commit = (await at.git('commit-tree', '-m', 'partial', tree)).trim();
    await at.git('update-ref', 'HEAD', commit);
    const partial = await at.campaign(['plan', 'm.yaml']);
    expect(partial.code).toBe(0);
    expect(partial.stderr).toMatch(
      /^ {2}! Whether the state goes on from the committed one could not be seen: .*\n$/,
    );
    // Its content is elsewhere, and it was there.
    await rm(join(at.folder, STATE_FILE));
    expect((await at.campaign(['apply', 'm.yaml'])).stderr).toMatch(
      /^error: The state is gone \[state-vanished\]\n/,
    );
  });

  it('has nothing to say before the first commit, of a state that was never committed, and without a repository', async () => {
    const at = await gitFolder();
    expect(await at.campaign(['plan', 'm.yaml'])).toMatchObject({ code: 0, stderr: '' });
    await at.commit();
    expect(await at.campaign(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
    expect(await at.campaign(['plan', 'm.yaml'])).toMatchObject({ code: 0, stderr: '' });
    await rm(join(at.folder, '.git'), { recursive: true });
    expect(await at.campaign(['plan', 'm.yaml'], { PATH: '/nowhere' })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  it('gets no key, and is asked for the blob only when that is a new one', async () => {
    const at = await committedState();
    const bin = join(at.folder, 'bin');
    await at.forget();
    await mkdir(bin);
    const real = (await promisify(execFile)('which', ['git'])).stdout.trim();
    const script = `env >> '${at.folder}/seen'\necho "$@" >> '${at.folder}/asked'\nexec '${real}' "$@"\n`;
    await writeFile(join(bin, 'git'), `#!/bin/sh\n${script}`);
    await chmod(join(bin, 'git'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, CAMPAIGN_API_KEY: 'another-canary-77' };
    await at.campaign(['plan', 'm.yaml'], env);
    await at.campaign(['plan', 'm.yaml'], env);
    const asked = await at.read('asked');
    expect(asked.match(/cat-file blob/g)).toHaveLength(1);
    expect(await at.read('seen')).not.toMatch(/canary/);
  });
});

describe('a state whose last run has no end', () => {
  it('says so at once, in plan and apply', async () => {
    const at = await committedState();
    const lines = (await at.read(STATE_FILE)).split('\n').filter(Boolean);
    const started = lines.findLastIndex((line) => line.includes('"run-started"'));
    const cut = await gitFolder();
    await cut.write('m.yaml', await at.read('m.yaml'));
    await cut.write(STATE_FILE, `${lines.slice(0, started + 1).join('\n')}\n`);
    const words =
      /^ {2}! The last run \(`campaign apply` of \S+\) has no recorded end: it was killed, or this copy was taken while it ran\.\n/;
    expect((await cut.campaign(['plan', 'm.yaml'])).stderr).toMatch(words);
    expect((await cut.campaign(['apply', 'm.yaml'])).stderr).toMatch(words);
    expect((await cut.campaign(['plan', 'm.yaml'])).stderr).toBe('');
  });
});

describe('an event of a later version', () => {
  it('is refused by readers and writers, and left as it is', async () => {
    const at = await committedState();
    const last = (await at.read(STATE_FILE)).trimEnd().split('\n').at(-1) ?? '';
    const { seq, crc } = JSON.parse(last) as { seq: number; crc: string };
    const open = `{"seq":${seq + 1},"run":"later","event":{"type":"budgeted","at":"2027-01-01T00:00:00Z"}`;
    const sealed = crc32(open, Number.parseInt(crc, 16)).toString(16).padStart(8, '0');
    await appendFile(join(at.folder, STATE_FILE), `${open},"crc":"${sealed}"}\n`);
    const before = await at.read(STATE_FILE);
    for (const command of [['plan'], ['status'], ['apply'], ['state', 'list']]) {
      const { code, stdout, stderr } = await at.campaign([...command, 'm.yaml']);
      expect([code, stdout]).toEqual([76, '']);
      expect(stderr).toMatch(/^error: The state was written by a newer campaign \[state-newer-format\]\n/);
      expect(stderr).toContain('its event is of the type "budgeted", which this version does not know.');
    }
    expect(await at.read(STATE_FILE)).toBe(before);
  });
});

/** Git is in no folder of it. */
const WITHOUT_GIT = { PATH: '/nowhere' };

function warning(why: string): string {
  return (
    `  ! Whether the state goes on from the committed one could not be seen: ${why}. Without it, an older copy or another ` +
    'one is only noticed where this machine remembers more.\n'
  );
}

it('what a committed state had spent counts in a new one, in a fresh clone too', async () => {
  const at = await committedState();
  await at.forget();
  await rm(join(at.folder, STATE_FILE));
  expect((await at.campaign(['state', 'new', 'm.yaml', '--yes'])).code).toBe(0);
  expect(await at.read(STATE_FILE)).toMatch(/"type":"spent","at":"[^"]+","month":"[^"]+","posts":1,/);
});
