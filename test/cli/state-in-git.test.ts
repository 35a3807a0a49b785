/** Whoever applies commits the state, and everybody else plans from it. */
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { join } from 'node:path';
import { GIT_STATE, manifestFor, repository } from './cloned-campaign.ts';
import { untilTestEnds } from './small-campaign.ts';

describe('a state in git', () => {
  it('is applied and committed by one, and read by everybody: a clone plans nothing', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const origin = await repository(service);
    const cron = await origin.clone('cron');
    expect(await cron.campaign('apply')).toMatchObject({ code: 0 });
    // The state is all that git sees: lock, caches and the rest stay out by themselves.
    expect(await cron.git('status', '--short')).toBe(`?? ${GIT_STATE}\n`);
    await cron.publish('Applied');

    const reader = await origin.clone('reader');
    const { code, stdout, stderr } = await reader.campaign('plan', '--detailed-exitcode');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/\nNo changes\.\n$/);
    expect(await reader.git('status', '--short')).toBe('');

    // A pull request: what the edit would cost is known before it is merged.
    await reader.write(
      'campaign.yaml',
      manifestFor(service).replace(
        '  hero:',
        '  hero2:\n    concept: morning\n    items: [{ post_type: image, products: [tote], aspect_ratio: "1:1" }]\n  hero:',
      ),
    );
    expect((await reader.campaign('plan')).stdout).toContain('1 new post.');
    await reader.publish('One post more');

    await cron.git('pull', '--quiet');
    expect((await cron.campaign('apply')).stdout).toContain(
      '\nApply complete: 1 created, 4 unchanged, 1 file downloaded.\n',
    );
    await cron.publish('Applied');
    await reader.git('pull', '--quiet');
    expect((await reader.campaign('plan')).stdout).toMatch(/\nNo changes\.\n$/);
    expect(service.created.configs).toHaveLength(2);
  });

  it('that went on in two places is refused, with a way out', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const origin = await repository(service);
    const one = await origin.clone('one');
    expect(await one.campaign('apply')).toMatchObject({ code: 0 });
    await one.publish('Applied');
    const other = await origin.clone('other');

    // Both go on from the same state, each with a post of its own.
    const post = (name: string) =>
      `  ${name}:\n    concept: morning\n    items: [{ post_type: image, products: [tote], aspect_ratio: "1:1" }]\n`;
    await one.write('campaign.yaml', manifestFor(service) + post('first'));
    expect(await one.campaign('apply')).toMatchObject({ code: 0 });
    await one.publish('First');
    await other.write('campaign.yaml', manifestFor(service) + post('second'));
    expect(await other.campaign('apply')).toMatchObject({ code: 0 });
    await other.git('add', '--all');
    await other.git('commit', '--quiet', '--message', 'Second');

    // Git cannot merge them, and what it leaves behind is not taken for a state.
    await expect(other.git('pull', '--quiet', '--no-rebase')).rejects.toThrow();
    await other.write('campaign.yaml', manifestFor(service) + post('first') + post('second'));
    for (const command of ['plan', 'apply']) {
      const { code, stdout, stderr } = await other.campaign(command);
      expect([code, stdout]).toEqual([76, '']);
      expect(stderr).toContain(
        'git left a conflict here: two copies of the state went their own ways. They cannot be merged, and nothing ' +
          'was changed. Take one of them whole: `git log --all --full-history -- FILE` lists the commits, `git ' +
          'checkout COMMIT -- FILE` brings one back.',
      );
    }

    // Theirs: what only our copy had recorded would be paid for again, so a plan warns and an apply stops.
    await other.git('checkout', 'origin/main', '--', GIT_STATE);
    const plan = await other.campaign('plan');
    expect(plan.code).toBe(0);
    expect(plan.stderr).toBe(
      '  ! The state is a copy that went its own way: what it lacks is taken for new, and commands that write refuse it ' +
        `(76) until the other copy is back or \`campaign state use ${join(other.folder, GIT_STATE)}\` decides that this one counts.\n`,
    );
    const before = service.created.configs.length;
    const refused = await other.campaign('apply');
    expect([refused.code, refused.stdout]).toEqual([76, '']);
    expect(refused.stderr).toMatch(/^error: The state is a copy that went its own way \[state-diverged\]\n/);
    expect(service.created.configs).toHaveLength(before);

    // Ours: nothing is lost here, and the other one's post is what would be made again.
    await other.git('checkout', 'HEAD', '--', GIT_STATE);
    expect((await other.campaign('plan')).stdout).toContain('+ media/first/1');

    // Somebody decides.
    await other.git('checkout', 'origin/main', '--', GIT_STATE);
    expect(await other.campaign('state', 'use', GIT_STATE, '--yes')).toMatchObject({ code: 0 });
    const decided = await other.campaign('plan');
    expect(decided.stderr).toBe('');
    expect(decided.stdout).toContain('+ media/second/1');
    expect(decided.stdout).toContain('1 new post.');
  });

  it('that was put back to an older commit is refused', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
    const origin = await repository(service);
    const cron = await origin.clone('cron');
    expect(await cron.campaign('apply', '--only', 'product/*')).toMatchObject({ code: 0 });
    await cron.publish('Products');
    expect(await cron.campaign('apply')).toMatchObject({ code: 0 });
    await cron.publish('All');
    await cron.git('checkout', '--quiet', 'HEAD~1', GIT_STATE);
    const { code, stderr } = await cron.campaign('apply');
    expect(code).toBe(76);
    expect(stderr).toMatch(/^error: The state is older than before \[state-diverged\]\n/);
    await cron.git('checkout', '--quiet', 'HEAD', GIT_STATE);
    expect((await cron.campaign('apply')).stdout).toMatch(/\nNo changes\.\n$/);
    expect(service.created.configs).toHaveLength(1);
  });
});
