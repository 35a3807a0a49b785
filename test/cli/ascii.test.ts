import { expect, it } from 'vitest';
import { VERBS } from '../../src/commands/verbs.ts';
import { inAscii } from '../../src/render/ascii.ts';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, SMALL, untilTestEnds } from './small-campaign.ts';

const MANY = SMALL.replace(
  'posts:\n',
  `posts:
  grid:
    matrix: { n: [${Array.from({ length: 3 }, (_, n) => n).join(', ')}] }
    concept: morning
    items: [{ post_type: image, products: [tote], aspect_ratio: "1:1", descriptions: ["$\{{ matrix.n }}"] }]
`,
);

it('where the locale has no Unicode, everything that campaign itself writes is ASCII', async () => {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0, failing: ['4:5'] }));
  const campaign = await campaignFolder(MANY, service);
  const said: string[] = [];
  const run = async (args: string) => {
    const { stdout, stderr } = await campaign.run(args.split(' '), { LC_ALL: 'C' });
    said.push(...(stdout + stderr).split('\n').map((line) => `${args}: ${line}`));
    return stdout;
  };
  await campaign.write('photos/tote.png', await campaign.read('tote.png'));
  await campaign.write('bad.yaml', MANY.replace('[tote]', '[toe, "${{ vars.x }}"]').replace('{ n:', '{ m:'));
  await run('plan m.yaml');
  await run('apply m.yaml --no-wait');
  await run('plan m.yaml --all');
  await run('apply m.yaml --quiet');
  await run('apply m.yaml --retry-failed --json');
  await campaign.write(
    'm.yaml',
    `${MANY.replace('Soft light', 'Hard light much longer than what is shown of a text — “with signs”')}outputs: { dir: new }\n`,
  );
  const [first] = JSON.parse(await run('history m.yaml --json')) as { run: string }[];
  for (const each of [
    'validate',
    'validate bad.yaml',
    'plan',
    'plan --format markdown',
    'plan --json',
    'plan --explain media/hero/kitchen',
    'plan --explain media/hero/kitchem',
    'apply --within-budget',
    'wait',
    'status',
    'status --all',
    'status --json',
    'history',
    `history ${first?.run}`,
    'outputs',
    'outputs --verify',
    'outputs --format csv',
    'graph',
    'graph --status --all',
    'graph --status --format dot',
    'graph --status --format svg',
    'state list',
    'state show media/hero/kitchen',
    'state check',
    'state export',
    'refresh',
    'resolve media/hero/kitchen --skip',
    'approve media/hero/tour',
    'reject media/hero/tour --note no',
    'doctor',
    'init photos --out new.yaml',
    'schema',
    'completion bash',
    'destroy',
    'nonsense',
    '--help',
    ...VERBS.map(({ usage }) => `${usage.split(' ')[0]} --help`),
  ]) {
    const isAbout = !/^(?:init|schema|completion|nonsense|-)|bad\.yaml|--help/.test(each);
    await run(isAbout ? each.replace(/^(?:state )?\w+/, '$& m.yaml') : each);
  }
  const isForeign = (line: string) => /[^\x20-\x7e]/.test(line.replaceAll(/[“”\r]/g, ''));
  expect(said.filter(isForeign)).toEqual([]);
  expect(said.join('\n')).toContain('plan m.yaml --all:   ... media/grid/0/1@1');
}, 60_000);

it('a sign is as wide as before where columns depend on it', () => {
  const yellow = (text: string) => `\u001B[33m${text}\u001B[39m`;
  expect(inAscii('      … and 3 more')).toBe('      ... and 3 more');
  expect(inAscii('  … hero  4/4')).toBe('  ... hero  4/4');
  expect(inAscii(`  ${yellow('  …')} media/late`)).toBe(`  ${yellow('...')} media/late`);
  expect(inAscii(`    ${yellow('…')}`)).toBe(`  ${yellow('...')}`);
  expect(inAscii('"Soft li…" → "Hard"  media/gri…/1')).toBe('"Soft li~" -> "Hard"  media/gri~/1');
  expect(inAscii('a, … and `--var x=…`, media-config/…')).toBe('a, ... and `--var x=...`, media-config/...');
  expect(inAscii('Café ✓ · 80 × 60')).toBe('Café + - 80 x 60');
});
