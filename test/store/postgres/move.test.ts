/** A state moves between a file and a database: the same content, one side at a time, and no crash in between loses it (docs/scale.md). */
import os from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../../support/bare-service.ts';
import { hasPostgres, makeDatabase, runSql } from '../../support/postgres.ts';
import { PASSWORD } from '../../support/start-postgres.ts';
import { campaignFolder, SINGLE, STATE, untilTestEnds } from '../../cli/small-campaign.ts';

async function applied() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  const url = await makeDatabase();
  const inDatabase = { CAMPAIGN_STATE: url };
  const exported = async (env = {}) => (await campaign.run(['state', 'export', 'm.yaml'], env)).stdout;
  const toDatabase = () => campaign.run(['state', 'move', 'm.yaml', '--to', url]);
  const toFile = (file = STATE) => campaign.run(['state', 'move', 'm.yaml', '--to', file], inDatabase);
  return { service, campaign, url, inDatabase, exported, toDatabase, toFile };
}

describe.runIf(hasPostgres)('state move', () => {
  it('takes all of it there and back; the side left behind refuses', async () => {
    const { service, campaign, url, inDatabase, exported, toDatabase, toFile } = await applied();
    const shown = url.replace(`:${PASSWORD}`, '');
    const before = await exported();
    const lines = await campaign.read(STATE);
    const requests = service.requests.length;

    const there = await toDatabase();
    expect(there).toMatchObject({ code: 0 });
    expect(there.stdout).toBe(
      `✓ ${shown} has the state now, 12 records; ${STATE} is closed.\n  Commit ${STATE}, which says so.\n`,
    );
    expect(await exported(inDatabase)).toBe(before);
    expect((await campaign.run(['apply', 'm.yaml'], inDatabase)).stdout).toContain('No changes.');
    expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 76 });
    const again = await toDatabase();
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain(`${shown} has the state already; ${STATE} is closed.`);
    const pointer = await campaign.read(STATE);
    expect(service.requests).toHaveLength(requests);

    expect(await toFile()).toMatchObject({ code: 0 });
    expect(await campaign.read(STATE)).toBe(lines);
    expect((await toFile()).stdout).toContain(`${STATE} has the state already; ${shown} is closed.`);
    expect((await campaign.run(['apply', 'm.yaml'])).stdout).toContain('No changes.');
    expect(await campaign.run(['apply', 'm.yaml'], inDatabase)).toMatchObject({ code: 76 });
    // A clone that has not pulled the file: what it knows of the database is out of date.
    const clone = await campaignFolder(SINGLE, service);
    await clone.write(STATE, pointer);
    const stale = await clone.run(['apply', 'm.yaml'], inDatabase);
    expect(stale).toMatchObject({ code: 76 });
    expect(stale.stderr).toContain(`it was moved to ${join(campaign.folder, STATE)}`);
    expect(service.requests).toHaveLength(requests);

    // Once more, with verdicts, into a file elsewhere.
    expect(await campaign.run(['approve', 'm.yaml', 'media/hero/*'])).toMatchObject({ code: 0 });
    expect(await toDatabase()).toMatchObject({ code: 0 });
    await campaign.write('states/.keep', '');
    expect(await toFile('states/x.state.jsonl')).toMatchObject({ code: 0 });
    expect(await campaign.files()).toEqual(
      expect.arrayContaining(['states/x.state.jsonl', 'states/x.decisions.yaml']),
    );
    // Its place says where it is, and how far it goes.
    const left = await campaign.read(STATE);
    expect(JSON.parse(left)).toMatchObject({ campaign: 'small', moved_to: 'states/x.state.jsonl' });
    // As a crash leaves it before the last step.
    await campaign.write(STATE, pointer);
    expect((await toFile('states/x.state.jsonl')).stdout).toContain('has the state already');
    expect(JSON.parse(await campaign.read(STATE))).toMatchObject({ moved_to: 'states/x.state.jsonl' });
    const elsewhere = { CAMPAIGN_STATE: 'states/x.state.jsonl' };
    expect(await exported(elsewhere)).toBe(before);
    expect((await campaign.run(['apply', 'm.yaml'], elsewhere)).stdout).toContain('No changes.');
    // Whoever names the place that it had, the database, or another file, reads where it is now.
    for (const env of [{}, inDatabase, { CAMPAIGN_STATE: 'states/y.state.jsonl' }]) {
      const refused = await campaign.run(['plan', 'm.yaml'], env);
      expect({ env, code: refused.code }).toEqual({ env, code: 76 });
      expect(refused.stderr).toContain(join(campaign.folder, 'states/x.state.jsonl'));
    }
    // From there it moves as from its place.
    expect(await campaign.run(['state', 'move', 'm.yaml', '--to', url], elsewhere)).toMatchObject({
      code: 0,
    });
    expect(await exported(inDatabase)).toBe(before);
    for (const env of [{}, elsewhere]) {
      const refused = await campaign.run(['plan', 'm.yaml'], env);
      expect({ env, code: refused.code }).toEqual({ env, code: 76 });
      expect(refused.stderr).toContain(`says that ${shown} has the state`);
    }
    expect(service.requests).toHaveLength(requests);
  });

  it('may be made again after a crash at any of its steps (scenario 42)', async () => {
    const { campaign, url, inDatabase, exported, toDatabase, toFile } = await applied();
    const before = await exported();
    const mark = `${join(campaign.folder, STATE)} on ${os.hostname()}`;
    const close = () =>
      runSql(url, 'update campaign.campaign set moved_to = $1 where moved_to is null', [mark]);

    // Not all lines are there yet: the file counts.
    const file = await campaign.read(STATE);
    expect(await toDatabase()).toMatchObject({ code: 0 });
    await close();
    await campaign.write(STATE, file);
    await runSql(url, 'delete from campaign.event where seq > 7');
    expect(await exported()).toBe(before);
    expect(await campaign.run(['plan', 'm.yaml'], inDatabase)).toMatchObject({ code: 76 });
    expect(await toDatabase()).toMatchObject({ code: 0 });
    expect(await exported(inDatabase)).toBe(before);

    // The file is a pointer, and the row is not open yet.
    await close();
    for (const env of [{}, inDatabase])
      expect(await campaign.run(['plan', 'm.yaml'], env)).toMatchObject({ code: 76 });
    expect(await toDatabase()).toMatchObject({ code: 0 });
    expect(await exported(inDatabase)).toBe(before);

    // On the way back the row is closed, and the file has no name yet.
    await close();
    expect(await campaign.run(['plan', 'm.yaml'], inDatabase)).toMatchObject({ code: 76 });
    expect(await toFile()).toMatchObject({ code: 0 });
    expect(await exported()).toBe(before);
  });

  it('keeps what was destroyed, and refuses what it cannot do', async () => {
    const { campaign, url, inDatabase, exported, toDatabase, toFile } = await applied();
    expect(await toDatabase()).toMatchObject({ code: 0 });
    expect(await campaign.run(['destroy', 'm.yaml', '--yes'], inDatabase)).toMatchObject({ code: 0 });
    const before = await exported(inDatabase);
    const taken = await toFile('tote.png');
    expect(taken).toMatchObject({ code: 64 });
    expect(taken.stderr).toContain('tote.png is there already');
    expect(await toFile()).toMatchObject({ code: 0 });
    expect(await exported()).toBe(before);

    for (const [args, why] of [
      [['--to', 'b.state.jsonl'], 'is no other kind of place'],
      [['--to', 'none/b.state.jsonl'], 'The folder of the state file none/b.state.jsonl does not exist'],
      [['--to', url, '--state', url], 'is no other kind of place'],
      [[], 'say where: --to'],
      [['--to', url, '--env', 'emulator', '--state', 'b.state.jsonl'], "The emulator's data lies beside"],
    ] as const) {
      const refused = await campaign.run(['state', 'move', 'm.yaml', ...args]);
      expect(refused).toMatchObject({ code: 64 });
      expect(refused.stderr).toContain(why);
    }
    const fresh = await campaignFolder(SINGLE, { url: 'https://visuals.example.com' });
    const nothing = await fresh.run(['state', 'move', 'm.yaml', '--to', url]);
    expect(nothing).toMatchObject({ code: 64 });
    expect(nothing.stderr).toContain('There is no state to move');
  });
});
