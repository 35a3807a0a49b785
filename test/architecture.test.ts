import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '..', 'src');

/** Who may import whom; everyone may import itself. Folders import in one direction. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  util: [],
  model: ['util'],
  document: ['model', 'util'],
  manifest: ['document', 'model', 'util'],
  decisions: ['document', 'model', 'util'],
  files: ['model', 'util'],
  graph: ['model', 'util', 'manifest/manifest.ts'],
  log: ['model', 'util'],
  store: ['log', 'model', 'util'],
  match: ['log', 'model', 'util'],
  plan: ['match', 'log', 'model', 'util'],
  engine: ['model', 'util'],
  cluster: ['engine', 'store', 'model', 'util'],
  service: ['model/problem.ts', 'util'],
  storage: ['files', 'model', 'util', 'service'],
  steps: ['files', 'model', 'util', 'service', 'storage'],
  views: ['log', 'model', 'util'],
  render: ['views', 'model', 'util'],
  report: ['views', 'model', 'util'],
  page: ['views', 'model', 'util'],
  ui: ['views', 'util'],
  emulator: ['util', 'service/wire.ts'],
  doctor: ['model', 'util', 'manifest/manifest.ts', 'store', 'service', 'steps/media-lookup.ts'],
};

/** All folders below the use cases. */
const BELOW = Object.keys(MAY_IMPORT);

/** From the use cases up to the process: each imports all that is below it, and nobody below imports it. */
const UPWARDS: Record<string, readonly string[]> = {
  app: BELOW,
  cli: ['app', ...BELOW],
  commands: ['cli', 'app', ...BELOW],
  'cli.ts': ['commands', 'cli', 'app', ...BELOW],
};

interface Import {
  readonly from: string;
  readonly to: string;
}

function imports(): Import[] {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(join(SRC, file), 'utf8');
    const specifiers = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g)].map(
      ([, path]) => path ?? '',
    );
    return specifiers.map((specifier) => ({
      from: file.split(sep).join('/'),
      to: relative(SRC, join(SRC, dirname(file), specifier))
        .split(sep)
        .join('/'),
    }));
  });
}

describe('the layout', () => {
  const all = imports().filter(({ to }) => !to.startsWith('..'));

  it('finds the imports', () => {
    expect(all.length).toBeGreaterThan(200);
  });

  it('lets folders import in one direction only', () => {
    const forbidden = all.filter(({ from, to }) => {
      const [folder = '', target = ''] = [from.split('/')[0], to.split('/')[0]];
      if (folder === target) return false;
      const allowed = MAY_IMPORT[folder] ?? UPWARDS[folder] ?? [];
      return !allowed.some((entry) => (entry.endsWith('.ts') ? to === entry : target === entry));
    });
    expect(forbidden).toEqual([]);
  });

  it('lets nobody but its opener import one kind of store', () => {
    const forbidden = all.filter(
      ({ from, to }) =>
        /^store\/\w+\//.test(to) &&
        dirname(from) !== dirname(to) &&
        from !== 'store/open-store.ts' &&
        // A database's state has the form of a file's, and a file beside the manifest that names it.
        !(from.startsWith('store/postgres/') && to.startsWith('store/file/')),
    );
    expect(forbidden).toEqual([]);
  });

  it('has no circles, not even of types alone', () => {
    const below = new Map<string, string[]>();
    for (const { from, to } of all) below.set(from, [...(below.get(from) ?? []), to]);
    // What imports nothing that is left is no part of a circle.
    for (let isLess = true; isLess; ) {
      isLess = false;
      for (const [file, imported] of below) {
        if (imported.some((each) => below.has(each))) continue;
        below.delete(file);
        isLess = true;
      }
    }
    expect([...below.keys()]).toEqual([]);
  });

  it('takes time, chance and variables for use cases from one place', () => {
    const sources =
      /\b(?:realClock|Date\.now|new Date\(\)|Math\.random|randomUUID|process\.(?:env|std|cwd|argv|on|exit))/;
    const app = readdirSync(join(SRC, 'app'), { encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const own = app.filter((file) => sources.test(readFileSync(join(SRC, 'app', file), 'utf8')));
    expect(own).toEqual(['create-runtime.ts']);
  });

  it('lets a plan look at files through util/disk.ts alone, so that all that it depended on is known', () => {
    const isReader = (file: string) =>
      /^import (?!type )[^;]*'node:(?:fs|child_process)/m.test(readFileSync(join(SRC, file), 'utf8'));
    const planning = [...new Set(all.map(({ from }) => from))].filter((file) =>
      /^(?:manifest|document|graph|plan|views|files\/hash-images|app\/(?:load|plan)-campaign)/.test(file),
    );
    expect(planning.length).toBeGreaterThan(50);
    // These and what they import directly, without types, the store and use cases.
    const isType = /import type [^;]*from '([^']+)'/g;
    const reached = planning.flatMap((file) => {
      const text = readFileSync(join(SRC, file), 'utf8');
      const types = new Set([...text.matchAll(isType)].map(([, name = '']) => basename(name)));
      const direct = all.filter(({ from, to }) => from === file && !types.has(basename(to)));
      return [file, ...direct.map(({ to }) => to).filter((to) => !/^(?:store|app)\//.test(to))];
    });
    expect([...new Set(reached)].filter(isReader).sort()).toEqual([
      // A photo is read again where its size, times or number have changed.
      'files/read-image.ts',
      'files/stat-cache.ts',
      'util/disk.ts',
    ]);
  });

  it('has no other folders than those it names', () => {
    const folders = readdirSync(SRC);
    expect(folders.sort()).toEqual([...BELOW, ...Object.keys(UPWARDS)].sort());
  });
});
