import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOnTerminal } from '../support/run-on-terminal.ts';
import { type AppliedCampaign, applyCampaign, type EditedCampaign, photo } from './edited-campaign.ts';

let applied: AppliedCampaign;
beforeAll(async () => {
  applied = await applyCampaign();
});
afterAll(() => applied.remove());

describe('finished posts whose inputs changed, without anybody to ask', () => {
  it('stay as they are while everything else is applied', async () => {
    const campaign = await applied.copy();
    await campaign.write('shots/cup.png', await photo('new'));
    await campaign.change(
      'items:\n',
      'items:\n      - { post_type: carousel, products: [mug], aspect_ratio: "1:1" }\n',
    );
    const { code, posts, requests, stdout } = await campaign.apply();
    expect(stdout).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          + shots/cup.png  upload/<new>, 1 kB
          ~ product/mug
              images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6
            media-config/hero@2  one request, 1 post
          + media/hero/3  image 1:1
        -/+ media/hero/1  left as it is: replacing a finished post needs --yes
              product/mug changed (assets[0].product)
                images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6
              post_type: "image" → "carousel"  campaign.yaml:18
        -/+ media/hero/kitchen
        -/+ media/grid/morning+mug/1
        -/+ media/grid/night+mug/1
              these 3 left as they are (replacing finished posts needs --yes), because:
                product/mug changed
                  images[0]: an earlier image (<cup>) → shots/cup.png (<new>)  campaign.yaml:6

      Plan: 2 to create, 1 to update, 0 to replace, 0 to delete. 1 new post. 4 finished left as they are.

      Apply incomplete: 2 created, 1 updated, 13 unchanged, 1 file downloaded.
      The files are in out/spring/default, listed in index.json there and by \`campaign outputs\`.
      Finished posts were left as they are, because nobody has agreed to request them again.

      Next:
        campaign apply --yes   requests 4 edited posts again
        campaign state accept  keeps 4 edited posts as made; pays nothing
        campaign report        puts all pictures on one page, to approve and reject them
      "
    `);
    expect({ code, posts, requests }).toMatchInlineSnapshot(`
      {
        "code": 5,
        "posts": 1,
        "requests": [
          "1 × GET /files/{id}",
          "1 × GET /media/{id}/{id}/",
          "1 × PATCH /products/{id}/",
          "1 × POST /media-config/",
          "1 × POST /upload-media/",
        ],
      }
    `);

    const again = await campaign.apply('--json');
    expect(again).toMatchObject({ code: 5, posts: 0, requests: [] });
    expect(JSON.parse(again.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'run-finished',
      outcome: 'needs-consent',
      exit_code: 5,
      nodes: { replaced: 0, unchanged: 16 },
    });
    expect(await campaign.run(['apply', '--quiet'])).toMatchObject({
      code: 5,
      stdout: expect.stringContaining(
        'these 3 left as they are (replacing finished posts needs --yes)',
      ) as string,
    });
    const agreed = await campaign.apply('--yes');
    expect([agreed.code, agreed.posts]).toEqual([0, 4]);
    expect(await campaign.plan()).toContain('\nNo changes.\n');
  });
});

describe('the question on a terminal', () => {
  const answer = (campaign: EditedCampaign, keys: string) =>
    runOnTerminal(
      ['apply'],
      { cwd: campaign.folder, env: campaign.env },
      { question: 'What shall it be?', keys },
    );
  const sent = async <T>(work: () => Promise<T>) => {
    const { requests, created } = applied.service;
    const [before, configs] = [requests.length, created.configs.length];
    const end = await work();
    return { end, requests: requests.length - before, configs: created.configs.length - configs };
  };

  it('shows the plan; `a` applies it', async () => {
    const campaign = await applied.copy();
    await campaign.change('On a chair', 'On a table');
    const { end, configs } = await sent(() => answer(campaign, 'a\r'));
    expect(end.code).toBe(0);
    const screen = end.screen.replace(/127\.0\.0\.1:\d+/, 'HOST').replace(/ {2,}(?=\n)/g, '');
    expect(screen.slice(0, screen.indexOf('What shall it be?'))).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

            media-config/hero@2  one request, 1 post
        -/+ media/hero/kitchen
              descriptions[0]: "On a chair" → "On a table"  campaign.yaml:18

      Plan: 0 to create, 0 to update, 1 to replace, 0 to delete. 1 post to pay.

      1 finished post would be requested again, and paid again.
        a  apply: request 1 finished post again
        k  keep: keep the present files and accept the edit for good
        l  leave: leave 1 finished post as it is for now
        n  send nothing (default)
      "
    `);
    expect(screen.match(/^Plan:/gm)).toHaveLength(1);
    expect(screen).toContain('Apply complete: 1 replaced, 14 unchanged, 1 file downloaded.\n');
    expect(configs).toBe(1);
    expect(await campaign.plan()).toContain('\nNo changes.\n');
  });

  it('`k` keeps the pictures for good, and sends the rest', async () => {
    const campaign = await applied.copy();
    await campaign.change('Neon', 'Bright neon');
    const { end, requests, configs } = await sent(() => answer(campaign, 'k\r'));
    expect(end.code).toBe(0);
    expect(end.screen).toContain('Apply complete: 1 updated, 14 unchanged.\n');
    // The token, and the concept.
    expect([requests, configs]).toEqual([2, 0]);
    expect(await campaign.plan()).toContain('\nNo changes.\n');
  });

  it.each([
    ['`l`', 'l\r'],
    ['`leave`', 'leave\r'],
    ['`l` after something unclear', 'yes\rl\r'],
  ])('%s leaves them as they are', async (_, keys) => {
    const campaign = await applied.copy();
    await campaign.change('On a chair', 'On a table');
    const [first = '', second] = keys.split(/(?<=\r)/);
    const question = 'What shall it be?';
    const { end, requests } = await sent(() =>
      runOnTerminal(
        ['apply'],
        { cwd: campaign.folder, env: campaign.env },
        { question, keys: first },
        ...(second === undefined ? [] : [{ question, keys: second }]),
      ),
    );
    expect(end.code).toBe(5);
    expect(end.screen.match(/-\/\+ media\/hero\/kitchen/g)).toHaveLength(1);
    expect(end.screen).toMatch(/\nPlan: .* 1 finished left as it is\.\n/);
    expect(requests).toBe(0);
    expect(await campaign.plan()).toContain(' 1 to replace, ');
  });

  it.each([
    ['`n`', 'n\r', 'Nothing was sent.'],
    ['`q`', 'q\r', 'Nothing was sent.'],
    ['Enter', '\r', 'Nothing was sent.'],
    ['Ctrl-D', '\u0004', 'The input has ended: nothing was sent.'],
  ])('%s: nothing at all is sent', async (_, keys, said) => {
    const campaign = await applied.copy();
    await campaign.change('On a chair', 'On a table');
    await campaign.change('Neon', 'Bright neon');
    const log = await campaign.read('spring.default.state.jsonl');
    const { end, requests } = await sent(() => answer(campaign, keys));
    expect(end.code).toBe(5);
    expect(end.screen.trimEnd().split('\n').at(-1)).toBe(said);
    expect(requests).toBe(0);
    expect(await campaign.read('spring.default.state.jsonl')).toBe(log);
  });

  it('Ctrl-C stops: nothing at all is sent', async () => {
    const campaign = await applied.copy();
    await campaign.change('Neon', 'Bright neon');
    const log = await campaign.read('spring.default.state.jsonl');
    const { end, requests } = await sent(() => answer(campaign, '\u0003'));
    expect(end.code).toBe(130);
    expect(end.screen).toMatch(/\nStopped: nothing was sent\.\n$/);
    expect(requests).toBe(0);
    expect(await campaign.read('spring.default.state.jsonl')).toBe(log);
  });
});

describe('state accept', () => {
  it('keeps the posts that were made, sends nothing, and leaves the concept to the next apply, which new posts need', async () => {
    const campaign = await applied.copy();
    await campaign.change('Soft light', 'Hard light');
    await campaign.change(/\bnight\b/g, 'dusk');
    const before = applied.service.requests.length;
    const accepted = await campaign.run(['state', 'accept']);
    expect(accepted).toMatchInlineSnapshot(`
      {
        "code": 0,
        "signal": null,
        "stderr": "",
        "stdout": "✓ media/hero/kitchen@1 accepted
      ✓ media/hero/1@1 accepted
      ✓ media/hero/2@1 accepted
      ✓ media/grid/morning+tote/1@1 accepted
      ✓ media/grid/morning+mug/1@1 accepted
      ",
      }
    `);
    expect((await campaign.run(['state', 'accept'])).stdout).toMatchInlineSnapshot(`
      "Nothing to accept.
      "
    `);
    expect(applied.service.requests).toHaveLength(before);
    const text = await campaign.plan();
    expect(text).toMatchInlineSnapshot(`
      "spring · default · HOST · spring.default.state.jsonl · 15 known nodes

          ~ concept/morning
              description: "Soft light, linen" → "Hard light, linen"  campaign.yaml:10
          > out/spring/default/grid/night+mug/1-image.png → out/spring/default/grid/dusk+mug/1-image.png
          > out/spring/default/grid/night+tote/1-image.png → out/spring/default/grid/dusk+tote/1-image.png

      Plan: 0 to create, 1 to update, 0 to replace, 0 to delete. 0 new posts.
      "
    `);
    const named = await campaign.run(['state', 'accept', 'campaign.yaml', 'concept/morning']);
    expect(named.stdout).toBe('✓ concept/morning accepted\n');
  });

  it('is offered only where it keeps something: no picture is taken for another product’s', async () => {
    const campaign = await applied.copy();
    await campaign.change('products: [tote, mug]', 'products: [tote]');
    const { code, stdout } = await campaign.run(['apply']);
    expect(code).toBe(5);
    expect(stdout).toContain('campaign apply --yes  requests 1 edited post again');
    expect(stdout).not.toContain('state accept');
    const json = await campaign.run(['apply', '--json']);
    expect(json.stdout).toContain('"posts-left"');
    expect(json.stdout).not.toContain('state accept');
    expect((await campaign.run(['state', 'accept'])).stdout).toContain(
      'media/hero/kitchen is left out: it shows other products than its picture.',
    );
  });

  it('with globs accepts what they name', async () => {
    const campaign = await applied.copy();
    await campaign.change('Soft light', 'Hard light');
    const accepted = await campaign.run([
      'state',
      'accept',
      'campaign.yaml',
      'media/hero/*',
      'media/grid/*mug/1',
      '--json',
    ]);
    expect(accepted).toMatchInlineSnapshot(`
      {
        "code": 0,
        "signal": null,
        "stderr": "",
        "stdout": "{"accepted":["media/hero/kitchen@1","media/hero/1@1","media/hero/2@1","media/grid/morning+mug/1@1"],"left_out":[]}
      ",
      }
    `);
    const json = await campaign.planJson();
    expect(json).toMatchInlineSnapshot(`
      "format_version: "1.0"
      changes:
        {"address":"concept/morning","action":"update","reasons":[{"summary":"changed","field":"description","from":"Soft light, linen","to":"Hard light, linen","file":"campaign.yaml","line":10}]}
        {"address":"media/grid/morning+tote/1","action":"replace","post_type":"image","aspect_ratio":"1:1","cost":null,"reasons":[{"address":"concept/morning","summary":"changed","field":"description","from":"Soft light, linen","to":"Hard light, linen","file":"campaign.yaml","line":10}]}
      requests:
        {"address":"media-config/grid/morning+tote@2","posts":1,"items":["1"],"cost":null}
      held: []
      kept: []
      left_alone: []
      not_selected: 0
      summary: {"create":0,"update":1,"replace":1,"delete":0,"move":0,"unchanged":13}
      pending: 0
      to_download: 0
      looked_for: []
      failed: 0
      gone: []
      unknown: 0
      new_posts: 1
      over_budget: []
      cost: null"
    `);
  });
});
