/**
 * The campaign that the pictures of the page show: real runs of an example against the emulator, recorded once. What they have
 * left behind (state, times of requests, decisions) is kept in docs/pictures/page/, so that a test sees the same each time.
 */
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';
import { createRuntime } from '../../src/app/create-runtime.ts';
import { loadCampaign } from '../../src/app/load-campaign.ts';
import { pathFrom, reportOf, type CampaignReport } from '../../src/app/report-campaign.ts';
import { pageHtml } from '../../src/report/page-html.ts';
import { seal, seedOf } from '../../src/store/file/seal.ts';
import { realClock } from '../../src/util/clock.ts';
import { copyExample, type ExampleCopy } from '../support/example.ts';
import { runCli } from '../support/run-cli.ts';
import { ROOT } from '../docs/page-blocks.ts';

export const RECORDED = join(ROOT, 'docs', 'pictures', 'page', 'recorded');

/** In `.campaign/`. */
export const LOG = 'matrix-week.emulator.state.jsonl';

const BUDGET = `
budget:
  currency: EUR
  prices: { image: 0.10, carousel: 0.30, video: 1.20 }
  per_month: { cost: 20 }
`;

/** Two posts fail, and some requests have to be sent again. */
const BAD_DAY = `description: A day on which not everything succeeds.
orders:
  - { on: generation, when: { nth: [34, 37] }, do: { fault: generation, how: fails, message: The product covers less than a tenth of the picture. } }
  - { on: POST /products/, when: { nth: 2 }, do: { fault: status, status: 429, retry_after: 2 } }
  - { on: "GET /files/{id}", when: { nth: [9, 10, 20] }, do: { fault: status, status: 503, retry_after: 1 } }
`;

/** Makes everything anew with the real program; its folder holds the report that is photographed. */
export async function recordCampaign(): Promise<{ readonly copy: ExampleCopy; readonly report: string }> {
  const copy = await copyExample('matrix', { append: BUDGET });
  const run = async (code: number, command: string, ...args: readonly string[]) => {
    const end = await runCli([command, '--env', 'emulator', ...args], { cwd: copy.folder });
    if (end.code !== code) throw new Error(`${command} ended with ${end.code}: ${end.stderr}`);
  };
  await writeFile(join(copy.folder, 'bad-day.yaml'), BAD_DAY);
  await run(1, 'apply', '--profile', 'bad-day.yaml');
  const grid = (name: string) => `media/grid/${name}/1`;
  await run(0, 'approve', grid('morning+bottle+1x1'), grid('morning+candle+1x1'), grid('morning+teapot+1x1'));
  const again = grid('morning+bottle+4x5');
  await run(0, 'reject', again, '--note', 'The label cannot be read.');
  await run(1, 'apply', '--yes');
  await run(0, 'reject', grid('morning+notebook+4x5'), '--note', 'Too warm for the autumn range.');
  const folder = join(copy.folder, '.campaign');
  await rm(RECORDED, { recursive: true, force: true });
  await mkdir(RECORDED, { recursive: true });
  for (const name of (await readdir(folder)).filter(isKept)) {
    const text = anonymous(await readFile(join(folder, name), 'utf8'));
    await writeFile(join(folder, name), text);
    await writeFile(join(RECORDED, name), text);
  }
  await run(0, 'report');
  return { copy, report: join(copy.folder, 'out', 'matrix-week', 'emulator', 'report.html') };
}

/** Without the names of the person and the machine of the recording; the lines of a log are sealed anew. */
function anonymous(text: string): string {
  const named = text.replaceAll(/"by":"[^"]*"/g, '"by":"anna@studio"').replaceAll(/\bby: .*/g, 'by: anna');
  const [, lineage] = /"lineage":"([^"]+)"/.exec(named) ?? [];
  if (lineage === undefined) return named;
  let crc = seedOf(lineage);
  return named.replaceAll(/^(.+),"crc":"[0-9a-f]{8}"\}\n/gm, (_, open: string) => {
    const sealed = seal(open, crc);
    crc = sealed.crc;
    return sealed.line;
  });
}

function isKept(name: string): boolean {
  return /\.state\.jsonl$|\.attempts-.*\.jsonl$|\.decisions\.yaml$/.test(name);
}

/** One small picture in the place of all: what they show changes nothing else. */
export function standIn(): Promise<Buffer> {
  const create = { width: 64, height: 80, channels: 3, background: '#7a9' } as const;
  return sharp({ create }).webp().toBuffer();
}

/** The same page of what was recorded, with stand-ins. */
export async function writeRecordedPage(): Promise<{ readonly copy: ExampleCopy; readonly page: string }> {
  const copy = await copyRecorded();
  const { sources } = await reportIn(copy);
  const picture = await standIn();
  for (const { file, from } of sources) {
    const path = join(copy.folder, file);
    await mkdir(dirname(path), { recursive: true });
    if (from === 'output') await writeFile(path, picture);
  }
  const { data } = await reportIn(copy);
  const [script = '', style = ''] = await Promise.all(
    ['page.js', 'page-style.css'].map((name) => readFile(join(ROOT, 'dist', name), 'utf8')),
  );
  const small = data.pictures
    .map(({ kind }) => (kind === 'image' ? picture.toString('base64') : ''))
    .join(',');
  const block = `<script type="text/plain" data-block="0">${small}.</script>\n`;
  const page = join(copy.folder, 'report.html');
  await writeFile(page, [...pageHtml({ data, script, style }, [block])].join(''));
  return { copy, page };
}

export async function copyRecorded(): Promise<ExampleCopy> {
  const copy = await copyExample('matrix', { append: BUDGET });
  await cp(RECORDED, join(copy.folder, '.campaign'), { recursive: true });
  return copy;
}

/** At the time of the recording: advice and budgets depend on it. */
export async function reportIn({ folder }: ExampleCopy): Promise<CampaignReport> {
  const log = await readFile(join(folder, '.campaign', LOG), 'utf8');
  const [last = ''] = log.match(/(?<="at":")[^"]+/g)?.slice(-1) ?? [];
  const clock = { ...realClock, now: () => Date.parse(last) };
  const runtime = { ...createRuntime({ env: {}, emit: () => undefined }), clock };
  const loaded = await loadCampaign(runtime, {
    file: join(folder, 'campaign.yaml'),
    need: 'environment',
    environment: 'emulator',
    outside: 'refuse',
    target: '',
  });
  if (!loaded.ok) throw new Error(loaded.error.problems[0]?.summary);
  const pathOf = (file: string) => pathFrom(folder, file, folder);
  const made = await reportOf(runtime, loaded.value, { pathOf, empty: 'refuse' });
  if (!made.ok) throw new Error(made.error.problems[0]?.summary);
  return made.value;
}
