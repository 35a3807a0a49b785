import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT } from '../model/exit.ts';
import { err, ok, type Result } from '../util/result.ts';
import { type Refusal, refusal } from './output.ts';

const DEFAULT_MANIFEST = 'campaign.yaml';

/** The manifests that arguments mean: files as they are, folders searched, nothing = `./campaign.yaml`. */
export async function findManifests(paths: readonly string[]): Promise<Result<readonly string[], Refusal>> {
  const found: string[] = [];
  for (const path of paths.length ? paths : [DEFAULT_MANIFEST]) {
    const stats = await stat(path).catch(() => undefined);
    if (!stats) {
      return err(
        refusal(EXIT.invalidManifest, {
          code: 'no-manifest',
          summary: 'No such manifest',
          detail: `${path} does not exist. Name a manifest, or run campaign where a ${DEFAULT_MANIFEST} is.`,
        }),
      );
    }
    if (!stats.isDirectory()) {
      found.push(path);
      continue;
    }
    const below = await manifestsBelow(path);
    if (!below.length) {
      return err(
        refusal(EXIT.invalidManifest, {
          code: 'no-manifest',
          summary: 'No manifest in the folder',
          detail: `${path} holds no ${DEFAULT_MANIFEST} and no *.${DEFAULT_MANIFEST}.`,
        }),
      );
    }
    found.push(...below);
  }
  return ok([...new Set(found)]);
}

async function manifestsBelow(folder: string): Promise<string[]> {
  const { glob } = await import('glob');
  const files = await glob([`**/${DEFAULT_MANIFEST}`, `**/*.${DEFAULT_MANIFEST}`], {
    cwd: folder,
    ignore: ['**/node_modules/**', '**/.campaign/**'],
    posix: true,
  });
  return files.sort().map((file) => join(folder, file));
}
