/** What docs/state-log.md tells people to type works as it stands there. */
import { execFile } from 'node:child_process';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { StateEvent } from '../../src/model/state-event.ts';
import { startBareService } from '../support/bare-service.ts';
import { CLI } from '../support/run-cli.ts';
import { API_KEY, campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PAGE = await readFile(join(ROOT, 'docs', 'state-log.md'), 'utf8');
const SHOWN = 'spring-launch.stage.state.jsonl';

/** The commands of the page, block by block. */
const BLOCKS = [...PAGE.matchAll(/```sh[^\n]*\n([^]*?)```/g)].map(([, block = '']) => block);

async function applied() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SINGLE, service);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  await copyFile(join(campaign.folder, 'm.yaml'), join(campaign.folder, 'campaign.yaml'));
  const shell = async (script: string) => {
    const env = {
      PATH: process.env['PATH'],
      CAMPAIGN_BASE_URL: service.url,
      CAMPAIGN_API_KEY: API_KEY,
      CAMPAIGN_STATE: STATE,
    };
    const commands = `set -e\ncampaign() { '${process.execPath}' '${CLI}' "$@"; }\n${script.replaceAll(SHOWN, STATE)}`;
    return (await promisify(execFile)('sh', ['-c', commands], { cwd: campaign.folder, env })).stdout;
  };
  return { campaign, shell };
}

interface EventSchema {
  readonly $defs: Readonly<Record<string, { readonly properties?: { readonly type?: EventType } }>>;
}

interface EventType {
  readonly const?: string;
  readonly enum?: readonly string[];
}

/** Every word that the `type` of an event can be. */
function typesOf({ $defs }: EventSchema): string[] {
  const events = (($defs['event'] as { oneOf?: { $ref: string }[] } | undefined)?.oneOf ?? []).map(
    ({ $ref }) => $defs[$ref.replace('#/$defs/', '')]?.properties?.type,
  );
  return events.flatMap((type) => type?.enum ?? type?.const ?? []);
}

const hasJq = await promisify(execFile)('jq', ['--version']).then(
  () => true,
  () => false,
);

describe('docs/state-log.md', () => {
  it('names every event that a log can hold', async () => {
    const schema = await readFile(join(ROOT, 'schemas', 'state-record.schema.json'), 'utf8');
    const types = typesOf(JSON.parse(schema) as EventSchema);
    expect(types.length).toBeGreaterThan(20);
    const table = PAGE.slice(PAGE.indexOf('| event | says |'), PAGE.indexOf('**An intent without an end'));
    for (const type of types) expect(table).toContain(`\`${type}\``);
  });

  it('has commands that say what they are said to say', async () => {
    const { campaign, shell } = await applied();
    const [reading = ''] = BLOCKS;
    const lines = reading.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(3);
    if (hasJq) {
      for (const line of lines) expect(await shell(line)).not.toBe('');
      expect(await shell(lines[2] ?? '')).toMatch(/^product\/tote [0-9a-f-]{36}$/m);
      expect(await shell(lines.at(-1) ?? '')).toMatch(/^media\/hero\/kitchen@1 generated$/m);
      return;
    }
    // Without jq: the fields that the commands name are there.
    const events = (await campaign.read(STATE))
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => (JSON.parse(line) as { event: StateEvent }).event);
    for (const type of ['created', 'downloaded'] as const) {
      expect(events.some((event) => event.type === type && 'address' in event && 'result' in event)).toBe(
        true,
      );
    }
  });
});
