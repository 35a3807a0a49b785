import { readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import type { OutputRow } from '../../src/views/list-outputs.ts';
import { copyExample, type ExampleCopy } from '../support/example.ts';
import { harEntries } from '../support/har-schema.ts';
import { checkHar } from '../support/openapi-har.ts';
import { runCli } from '../support/run-cli.ts';
import { runHere } from '../support/run-here.ts';

let example: ExampleCopy;
afterEach(() => example.remove());

const APPLY = ['apply', 'campaign.yaml', '--env', 'emulator'];
const TRACE = ['--trace', 'trace.har'];

/** In what the traced requests and answers differ from schemas/service.openapi.yaml. */
async function departures(): Promise<string[]> {
  const entries = harEntries(await readFile(join(example.folder, 'trace.har'), 'utf8'));
  const [token] = entries;
  expect(token?.request.url).toMatch(/\/get_auth_token$/);
  return checkHar(entries, token?.request.url.replace('/get_auth_token', '') ?? '');
}

type ListedFile = OutputRow & { readonly file: string };

async function outputRows(): Promise<ListedFile[]> {
  const { stdout } = await runHere(['outputs', '--env', 'emulator', '--json'], { cwd: example.folder });
  return JSON.parse(stdout) as ListedFile[];
}

/** Width ÷ height as the manifest asks for it. */
function ratioOf(text: string): number {
  const [width = Number.NaN, height = Number.NaN] = text.split(':').map(Number);
  return width / height;
}

async function expectFile({
  file,
  content_type: type,
  aspect_ratio: ratio,
  bytes,
}: ListedFile): Promise<void> {
  if (type === 'video/mp4') {
    const content = await readFile(file);
    expect(content.length).toBe(bytes);
    expect(content.subarray(4, 8).toString()).toBe('ftyp');
    expect(videoRatio(content)).toBeCloseTo(ratioOf(ratio), 1);
    return;
  }
  const { info } = await sharp(file).raw().toBuffer({ resolveWithObject: true });
  expect(Math.abs(info.width / ratioOf(ratio) - info.height)).toBeLessThanOrEqual(1);
}

/** From the track header's width and height (16.16 fixed point, its last eight bytes). */
function videoRatio(mp4: Buffer): number {
  const start = mp4.indexOf('tkhd') - 4;
  const end = start + mp4.readUInt32BE(start);
  return mp4.readUInt32BE(end - 8) / mp4.readUInt32BE(end - 4);
}

describe('examples/quickstart', () => {
  it('becomes pictures, slides and a video; the second apply sends nothing', async () => {
    example = await copyExample('quickstart', { photos: 'stand-ins' });
    const first = await runCli([...APPLY, ...TRACE], { cwd: example.folder });
    expect(first.stderr).toContain('✓ media/hero/kitchen generated');
    expect(first.stdout).toContain(
      'Plan: 18 to create, 0 to update, 0 to replace, 0 to delete. 6 new posts.',
    );
    expect(first.stdout).toContain('Apply complete: 18 created, 8 files downloaded.');
    expect(first.code).toBe(0);
    expect(await departures()).toEqual([]);

    const rows = await outputRows();
    expect(rows.map(({ path }) => path)).toEqual([
      'out/quickstart/emulator/after-dark/film-video.mp4',
      'out/quickstart/emulator/after-dark/street-image.jpg',
      'out/quickstart/emulator/hero/banner-image.jpg',
      'out/quickstart/emulator/hero/kitchen-image.jpg',
      'out/quickstart/emulator/hero/shelf-image.jpg',
      'out/quickstart/emulator/story/tote-tour-carousel-1.jpg',
      'out/quickstart/emulator/story/tote-tour-carousel-2.jpg',
      'out/quickstart/emulator/story/tote-tour-carousel-3.jpg',
    ]);
    for (const row of rows) await expectFile(row);
    const index = JSON.parse(
      await readFile(join(example.folder, 'out/quickstart/emulator/index.json'), 'utf8'),
    ) as { files: OutputRow[] };
    const folder = await realpath(example.folder);
    expect(index.files.map((row) => ({ ...row, file: join(folder, row.path) }))).toEqual(rows);

    const ledger = example.ledger();
    const state = await readFile(join(example.folder, '.campaign/quickstart.emulator.state.jsonl'), 'utf8');
    const second = await runHere(APPLY, { cwd: example.folder });
    expect(second).toMatchObject({ code: 0, stderr: '' });
    expect(second.stdout).toMatch(/\n\nNo changes\.\n$/);
    expect(example.ledger()).toEqual(ledger);
    expect(await readFile(join(example.folder, '.campaign/quickstart.emulator.state.jsonl'), 'utf8')).toBe(
      state,
    );
    expect(await runHere([...APPLY, '--quiet'], { cwd: example.folder })).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
  });
});

describe('examples/matrix', () => {
  it('becomes a week of posts, each content uploaded once', async () => {
    example = await copyExample('matrix', { photos: 'stand-ins' });
    const run = await runCli([...APPLY, ...TRACE], { cwd: example.folder });
    expect(await departures()).toEqual([]);
    expect(run.stdout).toMatch(/Apply complete: 60 created, \d+ files downloaded\.\n/);
    expect(run.code).toBe(0);
    const rows = await outputRows();
    expect(new Set(rows.map(({ address }) => address)).size).toBe(40);
    for (const row of rows) await expectFile(row);
    const uploads = example.ledger().filter(({ kind }) => kind === 'upload');
    expect(new Set(uploads.map((entry) => 'sha256' in entry && entry.sha256)).size).toBe(uploads.length);
  });
});
