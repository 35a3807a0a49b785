import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { pageHtml, type PageParts, REPORT_HEAD } from '../report/page-html.ts';
import { makeFolder } from '../util/atomic-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { writeOwnFile } from '../util/write-own-file.ts';
import { packageFile } from './package-info.ts';
import type { CampaignReport } from './report-campaign.ts';

/** `report --json` */
export interface WrittenReport {
  readonly file: string;
  readonly bytes: number;
  readonly posts: number;
  readonly pictures: number;
}

/** What a file that may be replaced begins with. */
const KIND = { head: new RegExp(`^${REPORT_HEAD}`), name: 'report of `campaign report`' };

/** `named` is the place as the person wrote it; without it the output folder is made if need be. */
export async function writeReport(
  { data }: CampaignReport,
  file: string,
  named: string | undefined,
): Promise<Result<WrittenReport, Refusal>> {
  if (named === undefined) await makeFolder(dirname(file));
  const why = await writeOwnFile(file, pageHtml({ data, ...(await pageProgram()) }), KIND);
  if (why !== undefined) return err(cannotWrite(named ?? file, why));
  const { size } = await stat(file);
  return ok({ file, bytes: size, posts: data.posts.length, pictures: data.pictures.length });
}

/** The page's own program and style, from the installed package. */
export async function pageProgram(): Promise<Pick<PageParts, 'script' | 'style'>> {
  const read = (name: string) => readFile(packageFile('dist', name), 'utf8');
  const [script, style] = await Promise.all([read('page.js'), read('page-style.css')]);
  return { script, style };
}

function cannotWrite(file: string, why: string): Refusal {
  const detail = `${file}: ${why}.`;
  return refusal(EXIT.cannotWrite, { code: 'cannot-write', summary: 'The report cannot be written', detail });
}
