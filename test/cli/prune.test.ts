/** `apply --prune` from end to end: what is deleted, who agrees, what stays, and what a service that fails makes of it. */
import { expect, it } from 'vitest';
import { runOnTerminal } from '../support/run-on-terminal.ts';
import { appliedCampaign, FULL, HALF, lastRun } from './pruned-campaign.ts';
import { API_KEY } from './small-campaign.ts';

const DELETES = ['DELETE /media-config/{id}/', 'DELETE /concepts/{id}/', 'DELETE /products/{id}/'];
const ALL = { products: 2, concepts: 2, requests: 2 };

it('deletes only after an agreement; without one the rest is done, and the run ends with 5', async () => {
  const campaign = await appliedCampaign(
    HALF.replace('Soft light', 'Hard light').replace('  hero:', '  hero:\n    regenerate: never'),
  );
  const { code, stdout } = await campaign.apply('--prune');
  expect(code).toBe(5);
  expect(
    stdout
      .split('\n')
      .slice(2)
      .join('\n')
      .replaceAll(/ \(.* s\)/g, ''),
  ).toBe(`    ~ concept/morning
        description: "Soft light" → "Hard light"  m.yaml:6
    ✓ media/hero/a  kept: regenerate: never
        concept/morning changed (concept)
          description: "Soft light" → "Hard light"  m.yaml:6
    - media-config/side@1  left as it is: deleting needs --yes
    - concept/night  left as it is: deleting needs --yes
    - product/mug  left as it is: deleting needs --yes

Plan: 0 to create, 1 to update, 0 to replace, 0 to delete. 0 new posts. 3 not deleted.

Apply incomplete: 1 updated, 3 unchanged.
Nothing was deleted: \`campaign apply m.yaml --prune --yes\` deletes it.
`);
  expect(campaign.sent()).toEqual(['PUT /concepts/{id}/']);
  expect(campaign.there()).toEqual(ALL);
  // Each time again: what waits for an agreement is never remembered as done.
  expect((await campaign.apply('--prune', '--quiet')).code).toBe(5);
  expect(await campaign.apply('--prune', '--json')).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(
      /"code":"deletions-unasked".*"detail":"\d deletions would be made, and nobody has agreed\. The rest is done\. `campaign apply m\.yaml --prune --yes` deletes\."/,
    ),
  });
  expect(await campaign.apply('--max-deletes', '2')).toMatchObject({
    code: 64,
    stderr: expect.stringContaining('[max-deletes-alone]'),
  });
  expect((await campaign.apply('--quiet')).code).toBe(0);
});

it('deletes requests, then concepts and products; files, uploads, money, numbers and ids stay in the state', async () => {
  const campaign = await appliedCampaign();
  const files = await campaign.files();
  const ids = await campaign.run(['outputs', 'm.yaml', '--json']);
  const media = (JSON.parse(ids.stdout) as { post: string; media_id: string }[]).find(
    ({ post }) => post === 'side',
  );
  const plan = await campaign.run(['plan', 'm.yaml', '--prune', '--json', '--detailed-exitcode']);
  expect(plan.code).toBe(2);
  expect(JSON.parse(plan.stdout)).toMatchObject({
    changes: [
      { address: 'media-config/side@1', action: 'delete', posts: ['media/side/b@1', 'media/side/c@1'] },
      { address: 'concept/night', action: 'delete' },
      { address: 'product/mug', action: 'delete' },
    ],
    left_alone: [],
    not_deleted: { because: null, addresses: [] },
    summary: { delete: 3, unchanged: 4 },
  });
  const explained = await campaign.run(['plan', 'm.yaml', '--prune', '--explain', 'media/side/b']);
  expect(explained.stdout).toContain('media/side/b  deleted with media-config/side@1\n');
  const { code, stdout } = await campaign.apply('--prune', '--yes');
  expect(stdout).toContain('\nApply complete: 3 deleted, 4 unchanged.\n');
  expect([code, campaign.sent()]).toEqual([0, DELETES]);
  expect(await lastRun(campaign)).toMatchObject({ deleted: 3, created: 0 });
  expect(campaign.there()).toEqual({ products: 1, concepts: 1, requests: 1 });
  expect(await campaign.listed()).toEqual([
    'upload done',
    'product/tote done',
    'concept/morning done',
    'media-config/hero@1 done',
    'media/hero/a done',
    'download/hero/a done',
  ]);
  const stayed = (await campaign.files()).filter((file) => !file.includes('.attempts-'));
  expect(stayed).toEqual(files.filter((file) => !file.includes('.attempts-')));
  // A verdict about a post that is deleted is spent, and no mistake.
  const verdict = `{ post: media/side/b, media: ${media?.media_id}, verdict: approved, at: "2026-11-22T10:00:00Z" }`;
  await campaign.write('spring.default.decisions.yaml', `version: 1\ndecisions:\n  - ${verdict}\n`);
  const again = await campaign.apply('--prune', '--yes');
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('\nNo changes.\n')]);
  expect((await campaign.run(['state', 'check', 'm.yaml'])).code).toBe(0);
  const exported = JSON.parse((await campaign.run(['state', 'export', 'm.yaml'])).stdout) as {
    requests: object[];
  };
  expect(exported.requests).toMatchObject([
    { status: 'done' },
    { address: 'media-config/side@1', status: 'skipped', deleted: true },
  ]);
  // The same keys again are new things.
  await campaign.write('m.yaml', FULL);
  expect((await campaign.apply('--quiet')).code).toBe(0);
  expect(await campaign.listed()).toContain('media-config/side@2 done');
  expect(await campaign.files()).toEqual(expect.arrayContaining(files));
});

it('deletes nothing beyond --max-deletes, nor where most products are gone, also with --yes', async () => {
  const campaign = await appliedCampaign();
  const many = await campaign.apply('--prune', '--yes', '--max-deletes', '2');
  expect(many.code).toBe(5);
  expect(many.stderr).toContain('Nothing is deleted');
  expect(many.stdout).toContain(
    'Nothing was deleted: `campaign plan m.yaml --prune` shows what it would be.',
  );
  expect(many.stderr.replaceAll(/\s+/g, ' ')).toContain(
    'The plan has 3 deletions, which is more than --max-deletes allows. The rest is done. Look at the plan; if you mean it, say --max-deletes 3.',
  );
  await campaign.write(
    'm.yaml',
    HALF.replace('  tote:', '  bag:')
      .replace('[tote]', '[bag]')
      .replace('tote.png', '"https://cdn.example.com/bag.jpg"'),
  );
  const gone = await campaign.apply('--prune', '--yes', '--json');
  expect(gone.code).toBe(5);
  expect(gone.stdout).toContain('"code":"products-gone"');
  expect(campaign.sent().filter((route) => route.startsWith('DELETE'))).toEqual([]);
  const plan = await campaign.run(['plan', 'm.yaml', '--prune']);
  expect(plan.stdout).toContain('- product/mug  left as it is: most known products are gone\n');
});

it('deletes what a saved plan holds, which was reviewed', async () => {
  const campaign = await appliedCampaign();
  const markdown = await campaign.run(['plan', 'm.yaml', '--prune', '--format', 'markdown']);
  expect(markdown.stdout).toContain(
    '#### Deleted at the service\n\n- `media-config/side@1`: `the manifest no longer names it`\n',
  );
  await campaign.run(['plan', 'm.yaml', '--prune', '--out', 'plan.json']);
  const twice = await campaign.apply('--plan', 'plan.json', '--prune');
  expect([twice.code, twice.stderr]).toEqual([
    64,
    expect.stringContaining('--prune decides what a plan holds'),
  ]);
  expect((await campaign.apply('--plan', 'plan.json', '--quiet')).code).toBe(0);
  expect(campaign.sent()).toEqual(DELETES);
});

it('asks once on a terminal, about everything; leaving deletes nothing', async () => {
  const campaign = await appliedCampaign();
  const env = { CAMPAIGN_BASE_URL: campaign.service.url, CAMPAIGN_API_KEY: API_KEY };
  const apply = (keys: string) =>
    runOnTerminal(
      ['apply', 'm.yaml', '--prune'],
      { cwd: campaign.folder, env },
      { question: 'What shall it be? [a/l/N/?] ', keys },
    );
  const left = await apply('l\r');
  expect(left.code).toBe(5);
  expect(left.screen).toContain(`
3 products, concepts and requests would be deleted at the service, a request with its posts.
  a  apply: delete 3 at the service
  l  leave: delete nothing for now
  n  send nothing (default)
`);
  expect(campaign.sent()).toEqual([]);
  const { code } = await apply('a\r');
  expect([code, campaign.sent()]).toEqual([0, DELETES]);
});

it('deletes no product while the deletion of what uses it has not succeeded, and goes on in the next run', async () => {
  const campaign = await appliedCampaign();
  campaign.refuse((route) => (route === DELETES[0] ? 409 : undefined));
  const { code, stdout, stderr } = await campaign.apply('--prune', '--yes');
  expect([code, campaign.sent()]).toEqual([1, ['DELETE /media-config/{id}/']]);
  expect(stdout).toContain('Apply failed: 4 unchanged, 1 failed, 2 blocked.');
  expect(stderr).toContain('not now');
  expect((await campaign.listed()).filter((row) => row.includes('/side'))).toHaveLength(5);
  expect(await campaign.listed()).toContain('media-config/side@1 done');
  campaign.refuse(undefined);
  expect((await campaign.apply('--prune', '--yes', '--quiet')).code).toBe(0);
  expect(campaign.there()).toEqual({ products: 1, concepts: 1, requests: 1 });
});

it('believes no 404 while everything is 404, and loses nothing in such a spell (scenario 38)', async () => {
  const campaign = await appliedCampaign();
  campaign.refuse(() => 404);
  const before = await campaign.listed();
  const { code, stderr } = await campaign.apply('--prune', '--yes');
  expect(code).toBe(3);
  expect(stderr).toContain('Nobody knows whether it is deleted: DELETE /media-config/');
  expect(await campaign.listed()).toEqual(before);
  // Somebody had deleted one of them elsewhere: then it is gone, as others are there.
  campaign.refuse((route) => (route.endsWith(' /media-config/{id}/') ? 404 : undefined));
  expect((await campaign.apply('--prune', '--yes', '--quiet')).code).toBe(0);
  expect((await campaign.listed()).filter((row) => /side|mug|night/.test(row))).toEqual([]);
});
