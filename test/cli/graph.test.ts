import { mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { startBareService } from '../support/bare-service.ts';
import { campaignFolder, SMALL, untilTestEnds } from './small-campaign.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FIRST_LINE = {
  mermaid: '---',
  dot: 'digraph campaign {',
  svg: '<?xml version="1.0" encoding="UTF-8"?>',
};

/** A campaign of this many posts, each with a request of its own. */
function manyPosts(number: number): string {
  const sizes = Array.from({ length: number }, (_, n) => `s${n}`).join(', ');
  return `version: 1
name: many
products:
  tote: { images: [tote.png] }
concepts:
  morning: { description: Soft light }
posts:
  grid:
    matrix: { size: [${sizes}] }
    concept: morning
    items:
      - { post_type: image, products: [tote], aspect_ratio: "1:1", descriptions: ["\${{ matrix.size }}"] }
`;
}

describe('campaign graph', () => {
  it('draws what depends on what, as Mermaid by default', async () => {
    const campaign = await campaignFolder(SMALL);
    expect(await campaign.run(['graph', 'm.yaml'])).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: `---
title: "small"
---
%% campaign graph
flowchart LR
  n1["tote.png"]
  n2["tote<br/>product"]
  n3["morning<br/>concept"]
  n4["hero<br/>request of 2 posts"]
  n5["kitchen<br/>image 4:5"]
  n6["tour<br/>carousel 1:1<br/>slow turn"]
  n1 --> n2
  n3 --> n4
  n2 --> n4
  n4 --> n5
  n4 --> n6
`,
    });
    const dot = await campaign.run(['graph', 'm.yaml', '--format', 'dot']);
    expect(dot.stdout).toContain('  "product/tote" -> "media-config/hero@1";\n');
    const svg = await campaign.run(['graph', 'm.yaml', '--format', 'svg']);
    expect(svg).toMatchObject({ code: 0, stderr: '' });
    expect(svg.stdout).toContain('<title>media/hero/kitchen</title>');
  });

  it('says with --status what has become of each node, also as JSON', async () => {
    const service = await untilTestEnds(startBareService({ pendingPolls: 0, failing: ['1:1'] }));
    const campaign = await campaignFolder(SMALL, service);
    const schema = await readFile(join(ROOT, 'schemas', 'graph.schema.json'), 'utf8');
    const validate = new Ajv2020().compile(JSON.parse(schema) as object);
    const json = async (...flags: string[]) => {
      const { code, stdout } = await campaign.run(['graph', 'm.yaml', ...flags]);
      const graph = JSON.parse(stdout) as { nodes: { address: string; status?: string }[]; edges: object[] };
      expect([code, validate(graph), validate.errors]).toEqual([0, true, null]);
      return graph;
    };
    const { nodes, edges } = await json('--json');
    expect(nodes).toContainEqual({
      address: 'upload/87095ce8b488ab5b',
      kind: 'upload',
      label: 'tote.png',
      about: [],
    });
    expect(edges).toContainEqual({ from: 'upload/87095ce8b488ab5b', to: 'product/tote' });
    const before = await json('--format', 'json', '--status');
    expect(new Set(before.nodes.map(({ status }) => status))).toEqual(new Set(['missing']));
    await campaign.run(['apply', 'm.yaml']);
    const later = await json('--json', '--status');
    expect(later.nodes.map(({ address, status }) => [address.split('/')[0], status])).toEqual([
      ['upload', 'done'],
      ['product', 'done'],
      ['concept', 'done'],
      ['media-config', 'done'],
      ['media', 'done'],
      ['media', 'failed'],
    ]);
    const { stdout } = await campaign.run(['graph', 'm.yaml', '--status']);
    expect(stdout).toContain('title: "small · default"');
    expect(stdout).toContain('n6["tour<br/>carousel 1:1<br/>slow turn<br/>✗ failed"]:::failed');
  });

  it('draws posts together above 60 boxes, and all with --all, up to what an SVG can show', async () => {
    const campaign = await campaignFolder(manyPosts(29));
    const graph = async (...flags: string[]) => (await campaign.run(['graph', 'm.yaml', ...flags])).stdout;
    expect(await graph()).toContain('n4[["grid<br/>29 posts<br/>image 1:1"]]');
    expect(await graph()).toContain('Drawn together: 29 posts of 1 post plan. With --all, each has a box.');
    const all = await graph('--all');
    expect(all).not.toContain('Drawn together');
    expect(all).toContain('n61["s28<br/>image 1:1"]');
    await campaign.write('m.yaml', manyPosts(2_001));
    const refused = await campaign.run(['graph', 'm.yaml', '--all', '--format', 'svg']);
    expect(refused).toMatchObject({ code: 64, stdout: '' });
    expect(refused.stderr).toContain('4005 boxes and 6004 arrows would take minutes to draw');
  });

  it('writes --out in the language of its ending, and never over what is no such picture', async () => {
    const campaign = await campaignFolder(SMALL);
    const write = (file: string, ...flags: string[]) =>
      campaign.run(['graph', 'm.yaml', '--out', file, ...flags]);
    for (const [file, format] of [
      ['a.svg', 'svg'],
      ['a.gv', 'dot'],
      ['a.DOT', 'dot'],
      ['a.mmd', 'mermaid'],
    ] as const) {
      // The second one replaces the first.
      for (const _ of [1, 2])
        expect(await write(file)).toMatchObject({ code: 0, stdout: `${file}: 6 boxes, 5 arrows.\n` });
      expect((await campaign.read(file)).split('\n')[0]).toBe(FIRST_LINE[format]);
    }
    expect(await write('a.svg', '--format', 'dot', '--quiet')).toMatchObject({ code: 0, stdout: '' });
    expect(await campaign.read('a.svg')).toMatch(/^digraph/);
    expect(await write('a.json', '--json')).toMatchObject({ code: 0, stdout: '' });
    expect(await write('a.json', '--json')).toMatchObject({ code: 0, stdout: '' });
    expect(JSON.parse(await campaign.read('a.json'))).toMatchObject({ campaign: 'small' });

    const manifest = await campaign.read('m.yaml');
    await campaign.write('mine.svg', '<svg/>');
    await mkdir(join(campaign.folder, 'dir.svg'));
    await symlink('a.svg', join(campaign.folder, 'link.svg'));
    for (const [file, why] of [
      ['m.yaml', 'it exists and is no picture that `campaign graph` wrote. Name another file.'],
      ['mine.svg', 'it exists and is no picture that `campaign graph` wrote. Name another file.'],
      ['dir.svg', 'it is a folder.'],
      ['link.svg', 'it is a symbolic link.'],
      ['none/a.svg', 'its folder does not exist.'],
    ] as const) {
      const { code, stdout, stderr } = await write(file);
      expect([file, code, stdout, stderr]).toEqual([
        file,
        74,
        '',
        expect.stringContaining(`--out ${file}: ${why}`),
      ]);
    }
    expect(await campaign.read('m.yaml')).toBe(manifest);
    expect(await campaign.read('mine.svg')).toBe('<svg/>');
  });

  it('refuses an unknown format with 64, an invalid manifest with 65', async () => {
    const campaign = await campaignFolder('version: 1\n');
    expect(await campaign.run(['graph', 'm.yaml', '--format', 'svgz'])).toMatchObject({
      code: 64,
      stdout: '',
    });
    expect(await campaign.run(['graph', 'm.yaml'])).toMatchObject({ code: 65, stdout: '' });
  });

  it('has Graphviz in the package, in a part that nothing else loads', async () => {
    const dist = join(ROOT, 'dist');
    const files = (await readdir(dist)).filter((name) => name.endsWith('.js'));
    const [viz = ''] = files.filter((name) => /^viz-\w+\.js$/.test(name));
    expect((await stat(join(dist, viz))).size).toBeGreaterThan(1e6);
    const others = files.filter((name) => name !== viz);
    const texts = await Promise.all(others.map((file) => readFile(join(dist, file), 'utf8')));
    const users = texts.filter((text) => text.includes(viz));
    // Imports that are not lazy would be `from"./viz…"`.
    expect(users).toEqual([expect.stringContaining(`import("./${viz}")`)]);
  });
});

describe('campaign schema', () => {
  it('prints the schema that the package ships', async () => {
    const campaign = await campaignFolder(SMALL);
    const shipped = join(ROOT, 'schemas', 'campaign.schema.json');
    expect(await campaign.run(['schema'])).toEqual({
      code: 0,
      signal: null,
      stdout: await readFile(shipped, 'utf8'),
      stderr: '',
    });
  });
});
