import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { copyExample } from '../support/example.ts';
import { runCli } from '../support/run-cli.ts';

it('a manifest on standard input is used like a file of the present folder, with a state that is named', async () => {
  const copy = await copyExample('quickstart', { photos: 'stand-ins' });
  onTestFinished(() => copy.remove());
  const { folder } = copy;
  const input = await readFile(join(folder, 'campaign.yaml'), 'utf8');
  const run = (...args: string[]) => runCli(args, { cwd: folder, input });

  const valid = await run('validate', '-');
  expect(valid).toMatchObject({ code: 0, stdout: expect.stringContaining('✓ <stdin> is valid: ') as string });
  const broken = await runCli(['validate', '-'], { cwd: folder, input: `${input}nmae: x\n` });
  expect(broken.code).toBe(65);
  expect(broken.stderr).toMatch(/at <stdin>:\d+:1\n/);

  const stateless = await run('plan', '-', '--env', 'emulator');
  expect(stateless.code).toBe(64);
  expect(stateless.stderr).toContain('Name the file with --state');

  const named = ['-', '--env', 'emulator', '--state', 'states.jsonl'];
  expect(await run('apply', ...named)).toMatchObject({ code: 0 });
  const again = await run('apply', ...named);
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('No changes') as string });
  expect((await run('history', ...named)).stdout).toContain('apply');
  expect((await runCli(['status', ...named], { cwd: folder })).stderr).toContain('This file is empty.');
});
