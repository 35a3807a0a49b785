import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { campaignFolder, SMALL } from './small-campaign.ts';

describe('campaign graph', () => {
  it('draws what depends on what, as Mermaid by default', async () => {
    const campaign = await campaignFolder(SMALL);
    expect(await campaign.run(['graph', 'm.yaml'])).toEqual({
      code: 0,
      signal: null,
      stderr: '',
      stdout: `graph LR
  n1["tote.png"]
  n2["product/tote"]
  n3["concept/morning"]
  n4["media-config/hero"]
  n5["media/hero/kitchen · image 4:5"]
  n6["media/hero/tour · carousel 1:1"]
  n1 --> n2
  n3 --> n4
  n2 --> n4
  n4 --> n5
  n4 --> n6
`,
    });
  });

  it('as DOT', async () => {
    const campaign = await campaignFolder(SMALL);
    expect(await campaign.run(['graph', 'm.yaml', '--format', 'dot'])).toMatchObject({
      code: 0,
      stdout: `digraph campaign {
  rankdir=LR;
  node [shape=box];
  "upload/87095ce8b488ab5b" [label="tote.png"];
  "product/tote" [label="product/tote"];
  "concept/morning" [label="concept/morning"];
  "media-config/hero@1" [label="media-config/hero"];
  "media/hero/kitchen" [label="media/hero/kitchen · image 4:5"];
  "media/hero/tour" [label="media/hero/tour · carousel 1:1"];
  "upload/87095ce8b488ab5b" -> "product/tote";
  "concept/morning" -> "media-config/hero@1";
  "product/tote" -> "media-config/hero@1";
  "media-config/hero@1" -> "media/hero/kitchen";
  "media-config/hero@1" -> "media/hero/tour";
}
`,
    });
  });

  it('as JSON', async () => {
    const campaign = await campaignFolder(SMALL);
    const { stdout } = await campaign.run(['graph', 'm.yaml', '--json']);
    const graph = JSON.parse(stdout) as { nodes: object[]; edges: object[] };
    expect(graph.nodes).toContainEqual({ address: 'upload/87095ce8b488ab5b', label: 'tote.png' });
    expect(graph.edges).toContainEqual({ from: 'upload/87095ce8b488ab5b', to: 'product/tote' });
  });

  it('refuses an unknown format with 64, an invalid manifest with 65', async () => {
    const campaign = await campaignFolder('version: 1\n');
    expect(await campaign.run(['graph', 'm.yaml', '--format', 'svgz'])).toMatchObject({
      code: 64,
      stdout: '',
    });
    expect(await campaign.run(['graph', 'm.yaml'])).toMatchObject({ code: 65, stdout: '' });
  });
});

describe('campaign schema', () => {
  it('prints the schema that the package ships', async () => {
    const campaign = await campaignFolder(SMALL);
    const shipped = join(import.meta.dirname, '..', '..', 'schemas', 'campaign.schema.json');
    expect(await campaign.run(['schema'])).toEqual({
      code: 0,
      signal: null,
      stdout: await readFile(shipped, 'utf8'),
      stderr: '',
    });
  });
});
