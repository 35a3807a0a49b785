import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { appendFile, chmod, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { unzipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { reportDataIn } from '../support/report-data-in.ts';
import { campaignFolder, SMALL, STATE, untilTestEnds } from './small-campaign.ts';

const schema = readFileSync(new URL('../../schemas/report.schema.json', import.meta.url), 'utf8');
const isWritten = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(schema) as object);
const OUT = 'out/small/default';
const mkfifo = (at: string) => promisify(execFile)('mkfifo', [at]);

async function applied() {
  const service = await untilTestEnds(startBareService({ pendingPolls: 0 }));
  const campaign = await campaignFolder(SMALL, service);
  expect(await campaign.run(['apply', 'm.yaml'])).toMatchObject({ code: 0 });
  const report = async (...args: string[]) => campaign.run(['report', 'm.yaml', ...args]);
  const data = async (file = `${OUT}/report.html`) => reportDataIn(await campaign.read(file));
  return { service, campaign, report, data };
}

describe('campaign report', () => {
  it('writes a file for people and says so, sends nothing, and changes nothing', async () => {
    const { service, campaign, report, data } = await applied();
    const sent = service.requests.length;
    const state = await campaign.read(STATE);
    expect(await report()).toEqual({
      code: 0,
      signal: null,
      stdout: expect.stringMatching(`^${OUT}/report.html: 2 posts, 5 pictures, 0\\.\\d MB\\.\n$`) as string,
      stderr: '',
    });
    expect(await report('--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const { stdout } = await report('--json');
    const written = JSON.parse(stdout) as Record<string, unknown>;
    expect(isWritten(written), JSON.stringify(isWritten.errors)).toBe(true);
    expect(written).toMatchObject({ file: join(campaign.folder, OUT, 'report.html'), missing: 0 });
    expect(service.requests).toHaveLength(sent);
    expect(await campaign.read(STATE)).toBe(state);

    const { pictures, posts, manifest, decisionsFile, products } = await data();
    expect({ manifest, decisionsFile }).toEqual({
      manifest: 'm.yaml',
      decisionsFile: 'small.default.decisions.yaml',
    });
    expect(posts.map(({ address, takes }) => [address, takes[0]?.pictures])).toEqual([
      ['media/hero/kitchen', [0]],
      ['media/hero/tour', [1, 2, 3]],
    ]);
    expect(posts[0]).toMatchObject({ at: 'm.yaml:11', status: 'done' });
    expect(products).toEqual([{ key: 'tote', name: 'tote', photos: [4] }]);
    expect(pictures.map(({ path }) => path)).toEqual([
      'hero/kitchen-image.png',
      'hero/tour-carousel-1.png',
      'hero/tour-carousel-2.png',
      'hero/tour-carousel-3.png',
      '../../../tote.png',
    ]);
    expect(pictures[4]).toMatchObject({ width: 2, height: 2, problem: null });
    const page = await campaign.read(`${OUT}/report.html`);
    expect(page).not.toContain(campaign.folder);
    expect(page.match(/data-block="0">[^<]+\.</g)).toHaveLength(1);
    expect(page.match(/data-preview="0">[^<]+\.</g)).toHaveLength(1);

    // However the command names them, no page names a folder of the machine.
    const named = (name: string) => join(campaign.folder, name);
    await campaign.run(['approve', 'm.yaml', 'media/hero/kitchen']);
    await campaign.run(['report', named('m.yaml'), '--state', named(STATE)]);
    expect(await campaign.read(`${OUT}/report.html`)).not.toContain(campaign.folder);
    const [next] = (await data()).summary.next;
    expect(next?.command).toBe(`campaign decide m.yaml --state ${STATE}`);

    // Elsewhere on the machine, no name of a folder is told.
    const other = await campaignFolder(SMALL);
    await report('--out', join(other.folder, 'r.html'));
    const far = reportDataIn(await other.read('r.html'));
    expect(far.pictures.map(({ path }) => path)).toEqual([null, null, null, null, null]);
  });

  it('says of each file what is wrong with it, and follows no link', async () => {
    const { campaign, report, data } = await applied();
    const at = (name: string) => join(campaign.folder, OUT, 'hero', name);
    // Their thumbnails are known from now on.
    await report();
    const right = await readFile(at('tour-carousel-2.png'));
    await rm(at('tour-carousel-2.png'));
    await writeFile(join(campaign.folder, 'secret.png'), 'mine');
    await rm(at('kitchen-image.png'));
    await symlink(join(campaign.folder, 'secret.png'), at('kitchen-image.png'));
    await appendFile(at('tour-carousel-1.png'), 'more');
    await rm(at('tour-carousel-3.png'));
    await mkfifo(at('tour-carousel-3.png'));
    expect((await report()).stdout).toContain('5 pictures, 4 of them not here or damaged, ');
    const { pictures, counts } = await data();
    expect(pictures.map(({ problem, path }) => [problem, path])).toEqual([
      ['A link stands in the place of the file; it was not followed.', null],
      ['The file is not what was recorded.', null],
      ['The file is not here.', null],
      ['What stands in the place of the file is no file.', null],
      [null, '../../../tote.png'],
    ]);
    expect(counts.files_missing).toBe(1);

    // As long as before, and another picture: also where the thumbnail of the right one is known.
    const slide = at('tour-carousel-2.png');
    const wrong = Buffer.from(right);
    wrong.writeUInt8(1 + wrong.readUInt8(right.length - 20), right.length - 20);
    await writeFile(slide, wrong);
    await report();
    expect((await data()).pictures[2]).toMatchObject({
      problem: 'The file is not what was recorded.',
      path: null,
    });
    await writeFile(slide, right);
    // The second time it is known without being read.
    for (const _ of [1, 2]) {
      await report();
      expect((await data()).pictures[2]).toMatchObject({ problem: null, path: 'hero/tour-carousel-2.png' });
    }

    // A clone without outputs, and an output folder whose parts lead elsewhere.
    await rm(join(campaign.folder, 'out'), { recursive: true });
    expect(await report()).toMatchObject({ code: 0 });
    expect((await data()).pictures[0]?.problem).toBe('The file is not here.');
    await symlink('/tmp', join(campaign.folder, OUT, 'hero'));
    expect(await report()).toMatchObject({ code: 0 });
    expect((await data()).pictures[0]?.problem).toBe('The file is not in the folder of the campaign.');
  });

  it('packs the page with all pictures', async () => {
    const { campaign, report } = await applied();
    expect(await report('--out', 'r.zip')).toMatchObject({ code: 0, stderr: '' });
    // An earlier one is replaced.
    expect(await report('--out', 'r.zip')).toMatchObject({ code: 0 });
    const files = unzipSync(await readFile(join(campaign.folder, 'r.zip')));
    const page = Buffer.from(files['report.html'] ?? []).toString();
    const names = reportDataIn(page).pictures.map(({ path }) => path ?? '');
    expect(Object.keys(files).sort()).toEqual(['report.html', ...names].sort());
    expect(names).toContain(`files/${OUT}/hero/tour-carousel-3.png`);
    const kitchen = await readFile(join(campaign.folder, OUT, 'hero/kitchen-image.png'));
    expect(Buffer.from(files[`files/${OUT}/hero/kitchen-image.png`] ?? [])).toEqual(kitchen);
  });

  it('replaces no file of anybody else, and says what to do', async () => {
    const { campaign, report } = await applied();
    await campaign.write('notes.html', 'mine');
    await campaign.write('notes.zip', 'PK mine');
    await mkdir(join(campaign.folder, 'folder.html'));
    await symlink('notes.html', join(campaign.folder, 'link.html'));
    await mkfifo(join(campaign.folder, 'pipe.zip'));
    const refused = async (out: string) => {
      const { code, stderr } = await report('--out', out);
      expect(code).toBe(74);
      return stderr.split('\n').at(1)?.trim();
    };
    const other = 'it exists and is no report of `campaign report`. Name another file.';
    expect(await refused('notes.html')).toBe(`notes.html: ${other}`);
    expect(await refused('notes.zip')).toBe(`notes.zip: ${other}`);
    expect(await refused('folder.html')).toBe('folder.html: it is a folder.');
    expect(await refused('link.html')).toBe('link.html: it is a symbolic link.');
    expect(await refused('no/where.html')).toBe('no/where.html: its folder does not exist.');
    for (const [out, why] of [
      ['', 'It is empty.'],
      ['-', 'Name a file: /dev/stdout is standard output, ./- a file of this name.'],
    ] as const) {
      const { code, stderr } = await report('--out', out);
      expect([code, stderr.includes(why)]).toEqual([64, true]);
    }
    expect(await refused('pipe.zip')).toBe('pipe.zip: an archive needs a plain file.');
    expect(await campaign.read('notes.html')).toBe('mine');
    await chmod(join(campaign.folder, '.campaign'), 0o500);
    // Without its cache it is slower, and does the same.
    expect(await report('--out', 'r.html')).toMatchObject({ code: 0 });
  });

  it('is refused without a state, and without a place', async () => {
    const campaign = await campaignFolder(SMALL, { url: 'http://127.0.0.1:1' });
    const none = await campaign.run(['report', 'm.yaml']);
    expect(none.code).toBe(64);
    expect(none.stderr).toContain(`There is no state at ${STATE} yet, so nothing has been made.`);
    expect(await campaign.files()).not.toContain(`${OUT}/report.html`);
    await campaign.write('none.yaml', `${SMALL}outputs: false\n`);
    const placeless = await campaign.run(['report', 'none.yaml']);
    expect(placeless.code).toBe(64);
    expect(placeless.stderr).toContain('Name a file with --out.');
    const several = await campaign.run(['report', 'm.yaml', 'none.yaml', '--out', 'r.html']);
    expect(several.code).toBe(64);
    expect(several.stderr).toContain('--out belongs to one campaign: name one manifest.');
  });
});
