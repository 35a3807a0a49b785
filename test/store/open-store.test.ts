import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase, openStore } from '../../src/store/open-store.ts';
import { stateInFile, type Store } from '../../src/store/store.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'campaign-store-'));
});

afterEach(() => rm(folder, { recursive: true }));

function open(named?: string, baseUrl = 'https://stage.example.com') {
  return openStore({
    manifest: path.join(folder, 'spring.yaml'),
    identity: { campaign: 'spring', environment: 'stage', baseUrl },
    named,
    env: {},
    manifestsIn: () => [],
  });
}

describe('the store of a campaign', () => {
  it('is a file beside the manifest', () => {
    const opened = open();
    const name = path.join(folder, 'spring.stage.state.jsonl');
    expect(opened).toMatchObject({
      ok: true,
      value: {
        store: { name },
        stateFolder: folder,
        workFolder: path.join(folder, '.campaign'),
        emulatorData: path.join(folder, '.campaign/spring.stage.data'),
      },
    });
    expect(opened.ok && stateInFile(opened.value.store).ok).toBe(true);
  });

  it('is in .campaign/ for the emulator, with its data', () => {
    const work = path.join(folder, '.campaign');
    expect(open(undefined, 'emulator')).toMatchObject({
      value: {
        store: { name: path.join(work, 'spring.stage.state.jsonl') },
        stateFolder: work,
        workFolder: work,
        emulatorData: path.join(work, 'spring.stage.data'),
      },
    });
  });

  it('is the file that is named by its path or its URL', () => {
    const file = path.join(folder, 'my state.jsonl');
    for (const named of [file, pathToFileURL(file).href, pathToFileURL(file).href.replace('file', 'FILE')])
      expect(open(named)).toMatchObject({ value: { store: { name: file }, stateFolder: folder } });
    expect(open(path.relative('', file))).toMatchObject({
      value: { store: { name: path.relative('', file) }, workFolder: path.join(folder, '.campaign') },
    });
  });

  it('is refused in a folder that is not there, and as a file of another machine', () => {
    const file = path.join(folder, 'none/state.jsonl');
    expect(open(file)).toEqual({
      ok: false,
      error: {
        code: 'no-state-folder',
        exit: 64,
        summary: 'No folder for the state',
        detail: `The folder of the state file ${file} does not exist. Make it, or correct --state or CAMPAIGN_STATE.`,
      },
    });
    expect(open('file://server/state.jsonl')).toMatchObject({ error: { code: 'no-state-file', exit: 64 } });
  });

  it('is in the database that a URL names, with a file beside the manifest, whose name has no password', () => {
    expect(open('postgresql://anna:secret@127.0.0.1:5499/campaigns')).toMatchObject({
      value: {
        store: { name: 'postgres://anna@127.0.0.1:5499/campaigns' },
        stateFile: path.join(folder, 'spring.stage.state.jsonl'),
        workFolder: path.join(folder, '.campaign'),
      },
    });
    const url = 'postgres://anna:secret@db.example.com/campaigns?sslmode=require';
    expect(open(url)).toMatchObject({ error: { code: 'database-tls', exit: 78 } });
    expect(JSON.stringify(open(url))).not.toContain('secret');
  });

  it('opens a database by its URL', () => {
    expect(openDatabase('postgres://anna:secret@localhost/campaigns', {})).toMatchObject({
      value: { name: 'postgres://anna@localhost/campaigns' },
    });
    expect(openDatabase('postgres://localhost/a?b=c', {})).toMatchObject({
      error: { code: 'bad-database-url' },
    });
  });

  it('is refused in any other place, without a word of its password', () => {
    expect(open('S3://user:secret@store.example.com/campaigns')).toEqual({
      ok: false,
      error: {
        code: 'not-supported-yet',
        exit: 64,
        summary: 'This place for the state is not supported yet',
        detail:
          '--state (or CAMPAIGN_STATE) names a s3:// URL, and this version keeps the state in a file or in Postgres: name ' +
          'a path, a file:// URL or a postgres:// URL. No request was sent.',
      },
    });
  });
});

it('what only a file can do is refused of any other store', () => {
  const elsewhere = { name: 'postgres://db.example.com/campaigns' } as Store;
  expect(stateInFile(elsewhere)).toMatchObject({
    error: {
      code: 'no-state-file',
      exit: 64,
      detail: expect.stringContaining('postgres://db.example.com/campaigns is no file') as string,
    },
  });
});
