/** How long the command takes to start, and to read small and large manifests. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeGrid } from '../inputs.mjs';
import { growth } from '../growth.mjs';
import { run } from '../measure.mjs';
import { campaign, environment } from '../program.mjs';

const SMALL = { products: 2, posts: 2 };
const node = () => run([process.execPath, '-e', '0']);

export const starts = [
  startCase({
    name: 'start-version',
    bounds:
      "Node's own start is 53 of about 77 ms; the rest is commander and the table of commands, in one file of 69 kB.",
    title: '`campaign --version` beside `node -e 0`',
    limit: 1.4,
    args: () => ['--version'],
  }),
  startCase({
    name: 'start-validate',
    bounds:
      "Loading modules: 23 files beside Node's own loader, and the compiling of code that runs once; reading the manifest itself is about 20 ms.",
    title: '`campaign validate` of a small manifest beside `node -e 0`',
    limit: 2.5,
    args: (manifest) => ['validate', manifest],
  }),
  startCase({
    name: 'start-plan',
    bounds: 'The same as `validate`, and opening the state.',
    title: '`campaign plan` of a small manifest beside `node -e 0`',
    args: (manifest) => ['plan', manifest],
  }),
  {
    name: 'manifest-20000',
    title: '`campaign validate` of a manifest of 20,000 lines beside the YAML library alone',
    bounds:
      "The YAML library's parser is more than half of it; the rest is checking the values against the schema and expanding them.",
    async prepare(folder) {
      const { manifest } = makeGrid(folder, SMALL);
      writeFileSync(manifest, longManifest(4000));
      const shorter = [40, 400].map((items) => {
        const file = join(folder, `${items}.yaml`);
        writeFileSync(file, longManifest(items));
        return file;
      });
      const options = { cwd: folder, env: environment('http://127.0.0.1:9') };
      const validate = (file) => run(campaign('validate', file), options);
      const parse = `import { readFileSync } from 'node:fs'; import { parseDocument } from 'yaml';
        parseDocument(readFileSync(${JSON.stringify(manifest)}, 'utf8')).toJS();`;
      const root = new URL('../..', import.meta.url).pathname;
      return {
        ours: async () => ({
          ...(await validate(manifest)),
          hundredth: await validate(shorter[0]),
          tenth: await validate(shorter[1]),
        }),
        other: () => run([process.execPath, '--input-type=module', '-e', parse], { cwd: root }),
      };
    },
    measures: [
      { label: 'seconds', value: ({ ours }) => ours.wall },
      { label: 'ratio to the library', value: ({ ours, other }) => ours.wall / other.wall, limit: 3 },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb },
      ...growth('seconds of the processor', ({ ours }) => [ours.hundredth.cpu, ours.tenth.cpu, ours.cpu]),
    ],
  },
  {
    name: 'table-50000',
    title: '`campaign validate` with a product table of 50,000 rows; beside it the CSV library alone',
    bounds: 'Making and checking 50,000 products; the CSV library is a tenth of it.',
    async prepare(folder) {
      const options = { cwd: folder, env: environment('http://127.0.0.1:9') };
      const validated = (rows) => {
        const place = join(folder, String(rows));
        mkdirSync(place);
        writeFileSync(join(place, 'products.csv'), tableOf(rows));
        writeFileSync(join(place, 'campaign.yaml'), TABLE_MANIFEST);
        return () => run(campaign('validate', join(place, 'campaign.yaml')), options);
      };
      const [whole, tenth, hundredth] = [validated(50_000), validated(5000), validated(500)];
      const table = JSON.stringify(join(folder, '50000', 'products.csv'));
      const parse = `import { readFileSync } from 'node:fs'; import { parse } from 'csv-parse/sync';
        parse(readFileSync(${table}, 'utf8'));`;
      const root = new URL('../..', import.meta.url).pathname;
      return {
        ours: async () => ({ ...(await whole()), hundredth: await hundredth(), tenth: await tenth() }),
        other: () => run([process.execPath, '--input-type=module', '-e', parse], { cwd: root }),
      };
    },
    measures: [
      { label: 'seconds', value: ({ ours }) => ours.wall, limit: 5 },
      { label: 'ratio to the library', value: ({ ours, other }) => ours.wall / other.wall },
      { label: 'peak memory, MB', value: ({ ours }) => ours.mb },
      ...growth('seconds of the processor', ({ ours }) => [ours.hundredth.cpu, ours.tenth.cpu, ours.cpu]),
    ],
  },
];

function tableOf(rows) {
  const lines = Array.from(
    { length: rows },
    (_, n) => `p${n},Product ${n},"A thing, number ${n}",https://cdn.example.com/p${n}.jpg,red`,
  );
  return ['key,name,description,images,colour', ...lines, ''].join('\n');
}

const TABLE_MANIFEST = `version: 1
name: table
product_tables: [products.csv]
concepts:
  night: { description: Neon }
posts:
  all:
    matrix: { product: "*" }
    concept: night
    items:
      - { post_type: image, aspect_ratio: "1:1", products: ["\${{ matrix.product }}"] }
`;

function startCase({ name, title, args, limit, bounds }) {
  return {
    name,
    title,
    pairs: 15,
    bounds,
    async prepare(folder) {
      const { manifest } = makeGrid(join(folder, 'campaign'), SMALL);
      const options = { cwd: folder, env: environment('http://127.0.0.1:9') };
      return { ours: () => run(campaign(...args(manifest)), options), other: node };
    },
    measures: [
      { label: 'ratio to node -e 0', value: ({ ours, other }) => ours.wall / other.wall, limit },
      { label: 'seconds', value: ({ ours }) => ours.wall },
    ],
  };
}

/** Each item has its own lines, as people write them. */
function longManifest(count) {
  const items = Array.from({ length: count }, (_, n) =>
    [
      `      - key: item-${n}`,
      '        post_type: image',
      `        products: [p${n % 2}]`,
      '        aspect_ratio: "4:5"',
      `        descriptions: ["The text of item ${n}, as it was written"]`,
    ].join('\n'),
  );
  return [
    'version: 1',
    'name: long',
    'product_folders: [photos/*]',
    'concepts:',
    '  night: { description: Neon }',
    'posts:',
    '  all:',
    '    concept: night',
    '    items:',
    ...items,
    '',
  ].join('\n');
}
