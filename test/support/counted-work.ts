import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliEnd, runCli } from './run-cli.ts';

/** The part of a V8 coverage file that is read here. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** What validating a manifest took: how often a piece of code ran, in all and by the name of its function. */
export interface CountedWork {
  readonly end: CliEnd;
  readonly total: number;
  readonly calls: (functionName: string) => number;
}

/** Validates a manifest with the real command and counts its work: counts are the same on every machine, times are not. */
export async function countWork(manifest: string): Promise<CountedWork> {
  const folder = await mkdtemp(join(tmpdir(), 'campaign-work-'));
  try {
    await writeFile(join(folder, 'campaign.yaml'), manifest);
    const counts = join(folder, 'counts');
    const end = await runCli(['validate', 'campaign.yaml'], {
      cwd: folder,
      env: { NODE_V8_COVERAGE: counts },
    });
    const [file = ''] = await readdir(counts);
    const coverage = JSON.parse(await readFile(join(counts, file), 'utf8')) as Coverage;
    const functions = coverage.result
      .filter(({ url }) => url.includes('/dist/'))
      .flatMap((script) => script.functions);
    return {
      end,
      total: functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0),
      calls: (name) =>
        functions
          .filter(({ functionName }) => functionName === name)
          .reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0),
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
