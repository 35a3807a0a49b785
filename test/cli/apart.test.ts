/** Most tests run commands in their own process: here each command says the same in one that was built. */
import { expect, it, onTestFinished } from 'vitest';
import { LAST_VERBS } from '../../src/commands/last-verbs.ts';
import { STATE_VERBS } from '../../src/commands/state-verbs.ts';
import type { Verb } from '../../src/commands/verb.ts';
import { VERBS } from '../../src/commands/verbs.ts';
import { startBareService } from '../support/bare-service.ts';
import { IS_FULL } from '../sweep/stride.ts';
import { campaignFolder, SINGLE, STATE, untilTestEnds } from './small-campaign.ts';

const APPLY = 'apply m.yaml --concurrency 1 --json';
const STORY = [
  'schema',
  'completion zsh',
  'init . --out first.yaml --name first --ratio 1:1',
  'validate m.yaml',
  'plan m.yaml',
  APPLY,
  'plan m.yaml --detailed-exitcode',
  'wait m.yaml',
  'status m.yaml',
  'report m.yaml',
  'outputs m.yaml',
  'outputs m.yaml --verify',
  'outputs m.yaml --fetch',
  'graph m.yaml',
  'doctor m.yaml --json',
  'approve m.yaml media/hero/kitchen',
  'reject m.yaml media/hero/kitchen',
  'decide m.yaml',
  'resolve m.yaml product/tote --not-created',
  'refresh m.yaml',
  'import m.yaml product/tote 00000000-0000-4000-8000-000000000001',
  'state list m.yaml',
  'state show m.yaml product/tote',
  'state export m.yaml',
  'state files m.yaml',
  'state check m.yaml',
  'state accept m.yaml',
  'state rebind m.yaml --yes',
  `state adopt m.yaml ${STATE}`,
  'state move m.yaml --to elsewhere.jsonl',
  'state new m.yaml --yes',
  'state rm m.yaml media*/* --yes',
  APPLY,
  'destroy m.yaml --yes --quiet',
  'history m.yaml --json',
];

/** What every run says otherwise. */
function withoutChance(text: string): string {
  return text
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, 'TIME')
    .replace(/"run": ?"[0-9a-f]{8}"/g, '"run":"ID"')
    .replace(/("images": ?")[0-9a-f]{16}"/g, '$1DIGEST"')
    .replace(/"ms":\d+/g, '"ms":0')
    .replace(/\b\d+(\.\d+)? (ms|s|GB|min)\b/g, 'SOME');
}

/** Which lines of the story are processes of their own: all in `npm run test:sweep`, every second one in `npm test`. */
const isApart = (line: number) => IS_FULL || line % 2 === 1;

async function told(how: (line: number) => 'run' | 'runApart'): Promise<string[]> {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }), onTestFinished);
  const campaign = await campaignFolder(SINGLE, service, onTestFinished);
  const said: string[] = [];
  for (const [index, line] of STORY.entries()) {
    const { code, signal, stdout, stderr } = await campaign[how(index)](line.split(' '));
    const text = [`$ ${line}`, stdout, stderr, `exit ${code} ${signal}`].join('\n');
    said.push(withoutChance(text.replaceAll(campaign.folder, 'FOLDER')));
  }
  return said;
}

it('every command says in a process of its own what it says here', async () => {
  const names = (verbs: readonly Verb[], before = '') =>
    verbs.map(({ usage }) => before + usage.split(' ')[0]);
  const commands = [...names([...VERBS, ...LAST_VERBS]), ...names(STATE_VERBS, 'state ')];
  const inStory = new Set(STORY.map((line) => /^(state )?\w+/.exec(line)?.[0] ?? ''));
  // These end by a signal alone: their own tests start them.
  expect([...inStory, 'emulator', 'ui'].sort()).toEqual(commands.sort());
  expect(await told((line) => (isApart(line) ? 'runApart' : 'run'))).toEqual(await told(() => 'run'));
});
