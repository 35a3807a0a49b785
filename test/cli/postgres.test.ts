/** A campaign whose state is in Postgres: it says what it says with a file, survives what a file survives, and keeps its password. */
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { startCutProxy } from '../support/cut-proxy.ts';
import { placesOf } from '../support/find-secret.ts';
import { duplicates } from '../support/ledger-check.ts';
import { hasPostgres, makeDatabase, nobodyIsConnected, runSql } from '../support/postgres.ts';
import { PASSWORD } from '../support/start-postgres.ts';
import type { CliEnd } from '../support/run-cli.ts';
import type { StateRow } from '../../src/views/list-state.ts';
import { IS_FULL } from '../sweep/stride.ts';
import {
  API_KEY,
  campaignFolder,
  type CampaignFolder,
  SINGLE,
  STATE,
  untilTestEnds,
} from './small-campaign.ts';
import { emulatorOf } from './held-emulator.ts';

/** What differs between two runs of one story: the place of the state, the service, ids, times. */
function likeAnyOther(text: string, places: readonly (readonly [string, string])[]): string {
  let left = text;
  for (const [place, word] of places) left = left.replaceAll(place, word);
  return (
    left
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UUID')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, 'TIME')
      .replaceAll(/\b(?:\d+ min )?\d+(?:\.\d)? s\b/g, 'SECONDS')
      // Pictures differ with the ids of posts, and a file is rewritten where a database is not.
      .replaceAll(/"(?:bytes|seq|records|images)": ?(?:\d+|"\w+")/g, '"N"')
      .replaceAll(/Records: \d+.*?;/g, 'RECORDS')
      .replaceAll(/, compacted after record \d+/g, '')
      .replaceAll(/\b[0-9a-f]{8}\b/g, 'RUN')
      .replaceAll(/[0-9a-f]{64}/g, 'SHA')
  );
}

const STORY: readonly (readonly string[])[] = [
  ['plan'],
  ['state', 'list'],
  ['apply', '--yes'],
  ['apply'],
  ['plan', '--json'],
  ['status', '--json'],
  ['outputs', '--json'],
  ['report'],
  ['state', 'show', 'm.yaml', 'media/hero/kitchen'],
  ['state', 'show', 'm.yaml', 'product/none'],
  ['state', 'check'],
  ['reject', 'm.yaml', 'media/hero/kitchen', '--note', 'too dark'],
  ['apply', '--yes'],
  ['approve', 'm.yaml', 'media/hero/*'],
  ['refresh'],
  ['wait'],
  ['state', 'rm', 'm.yaml', 'concept/morning', '--yes'],
  ['plan'],
  ['import', 'm.yaml', 'concept/morning', '0b6c1c9e-2f7e-4c0a-9d3e-5a1f2c3d4e5f', '--unverified'],
  ['state', 'accept', 'm.yaml'],
  ['status'],
  ['status', '--all'],
  ['history'],
  ['history', '--json'],
  ['outputs'],
  ['outputs', '--verify', '--json'],
  ['outputs', '--format', 'csv'],
  ['graph'],
  ['resolve', '--all'],
  ['resolve', '--all', '--json'],
  ['state', 'show', 'm.yaml', 'media/hero/kitchen', '--json'],
  ['state', 'export'],
  ['state', 'check', '--json'],
  ['destroy', '--yes'],
  ['state', 'list', '--json'],
];

/** The manifest comes first. */
function wordsOf([verb = '', ...rest]: readonly string[]): string[] {
  const isNamed = rest.includes('m.yaml');
  const isPair = verb === 'state';
  const [sub = '', ...more] = rest;
  if (isNamed) return [verb, ...rest];
  return isPair ? [verb, sub, 'm.yaml', ...more] : [verb, 'm.yaml', ...rest];
}

describe.runIf(hasPostgres)('a state in Postgres', () => {
  it('says the same as one in a file, and the password stays where it belongs', async () => {
    const url = await makeDatabase();
    const told: string[][] = [[], []];
    const folders: CampaignFolder[] = [];
    const ends: CliEnd[] = [];
    for (const [index, state] of [undefined, url].entries()) {
      const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
      const campaign = await campaignFolder(`${SINGLE}limits: { concurrency: 1 }\n`, service);
      folders.push(campaign);
      const name = url.replace(`:${PASSWORD}`, '');
      const places = [
        [service.url, 'SERVICE'],
        [new URL(service.url).host, 'HOST'],
        [campaign.folder, 'FOLDER'],
        [state ? name : STATE, 'STATE'],
      ] as const;
      for (const words of STORY) {
        const end = await campaign.run(wordsOf(words), state ? { CAMPAIGN_STATE: state } : {});
        if (state) ends.push(end);
        const said = [`$ ${words.join(' ')}`, `ended with ${end.code}`, end.stdout, end.stderr].join('\n');
        told[index]?.push(likeAnyOther(said, places));
      }
    }
    expect(told[1]).toEqual(told[0]);
    expect(new Set(told[0]?.join('\n').match(/ended with \d+/g))).toEqual(
      new Set(['ended with 0', 'ended with 64']),
    );
    const rows = await runSql(
      url,
      `select c::text as text from campaign.campaign c union all select line from campaign.event
        union all select r::text from campaign.run r`,
    );
    const texts = {
      said: ends.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
      database: rows.map(({ text }) => String(text)).join('\n'),
    };
    expect(texts.database).toContain('"type":"created"');
    expect(await placesOf([PASSWORD, API_KEY], { folder: folders[1]?.folder ?? '', texts })).toEqual([]);
  });

  it('is found by the file beside the manifest alone; without it, and without the database, nothing is sent', async () => {
    const url = await makeDatabase();
    const shown = url.replace(`:${PASSWORD}`, '');
    const emulator = await emulatorOf();
    const [first, clone] = [await campaignFolder(SINGLE, emulator), await campaignFolder(SINGLE, emulator)];
    const env = { CAMPAIGN_STATE: url };
    expect(await first.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 0 });
    const pointer = await first.read(STATE);
    expect(JSON.parse(pointer)).toMatchObject({ format: 1, campaign: 'small', moved_to: shown });
    expect(pointer.trimEnd().split('\n')).toHaveLength(1);
    const calls = emulator.calls.length;

    const forgotten = await first.run(['apply', 'm.yaml']);
    expect(forgotten).toMatchObject({ code: 76 });
    expect(forgotten.stderr).toContain(`says that ${shown} has the state`);
    const unknown = await clone.run(['apply', 'm.yaml', '--state', url]);
    expect(unknown).toMatchObject({ code: 76 });
    expect(unknown.stderr).toContain(`\`campaign state use m.yaml '${shown}'\` makes it the state`);
    expect(await first.run(['plan', 'm.yaml'], { CAMPAIGN_STATE: await makeDatabase() })).toMatchObject({
      code: 76,
    });
    expect(emulator.calls).toHaveLength(calls);

    expect(await clone.run(['state', 'use', 'm.yaml', url, '--yes'])).toMatchObject({ code: 0 });
    expect((await clone.run(['plan', 'm.yaml'], env)).stdout).toContain('No changes.');
    expect(await clone.run(['state', 'use', 'm.yaml', url])).toMatchObject({ code: 0 });
    // The same database, brought back from a backup, or cut by hand.
    await runSql(url, 'delete from campaign.event where seq > 5');
    expect(await clone.run(['apply', 'm.yaml'], env)).toMatchObject({ code: 76 });
    expect((await first.run(['status', 'm.yaml'], env)).stderr).toContain('The state is older than before');
    await runSql(url, `update campaign.event set line = replace(line, '"seq":4', '"seq": 4') where seq = 4`);
    const damaged = await first.run(['plan', 'm.yaml'], env);
    expect(damaged).toMatchObject({ code: 76 });
    expect(damaged.stderr).toContain('Bring the database back from a backup');
    expect(emulator.calls).toHaveLength(calls);
  });

  it('survives a database that is away for a moment, and a killed process (scenario 41)', async () => {
    const url = new URL(await makeDatabase());
    const emulator = await emulatorOf(IS_FULL ? 2_000 : 500);
    const campaign = await campaignFolder(SINGLE, emulator);
    const kills = IS_FULL ? 20 : 2;
    for (let kill = 1; kill <= kills; kill++) {
      const run = campaign.start(['apply', 'm.yaml', '--json'], { CAMPAIGN_STATE: url.href });
      let left = kill;
      run.process.stdout?.on('data', (text: string) => {
        left -= text.split('"address"').length - 1;
        if (left <= 0) run.process.kill('SIGKILL');
      });
      const { signal, code } = await run.end;
      // The next run begins once the database has noticed it.
      await nobodyIsConnected(url.href);
      expect(signal ?? code).not.toBe(75);
      expect(duplicates(emulator.ledger.entries())).toEqual([]);
    }
    // What was interrupted may be unknown; so what follows is about another campaign, at another service.
    const service = await emulatorOf();
    const other = await campaignFolder(SINGLE, service);
    const proxy = await startCutProxy(url);
    const run = other.start(['apply', 'm.yaml', '--json'], { CAMPAIGN_STATE: proxy.url });
    await run.seen(/"address":"(?:upload|concept)/);
    proxy.cut();
    setTimeout(() => proxy.mend(), IS_FULL ? 5_000 : 500);
    expect(await run.end).toMatchObject({ code: 0 });
    const listed = await other.run(['state', 'list', 'm.yaml', '--json'], { CAMPAIGN_STATE: url.href });
    const rows = JSON.parse(listed.stdout) as StateRow[];
    expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['done']));
    expect(duplicates(service.ledger.entries())).toEqual([]);
  });
});
